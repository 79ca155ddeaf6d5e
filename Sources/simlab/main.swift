import Foundation

let tool = CommandLineTool(verbs: [
  RunVerb.self,
  ReplayVerb.self,
  JudgeVerb.self,
  DiffVerb.self,
  FuzzVerb.self,
  ShrinkVerb.self,
  DefectsVerb.self,
  BenchVerb.self,
  ListVerb.self,
  WorkerVerb.self,
])

exit(tool.run(Array(CommandLine.arguments.dropFirst())).rawValue)
