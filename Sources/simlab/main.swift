import Foundation
import Fuzz

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

// A command that another one has started does not outlive it.
ParentWatch.begin()
exit(tool.run(Array(CommandLine.arguments.dropFirst())).rawValue)
