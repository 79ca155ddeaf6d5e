import Foundation

let tool = CommandLineTool(verbs: [
  RunVerb.self,
  JudgeVerb.self,
  DiffVerb.self,
  FuzzVerb.self,
  ListVerb.self,
  WorkerVerb.self,
])

exit(tool.run(Array(CommandLine.arguments.dropFirst())).rawValue)
