import Foundation

let tool = CommandLineTool(verbs: [
  RunVerb.self,
  JudgeVerb.self,
  DiffVerb.self,
  ListVerb.self,
])

exit(tool.run(Array(CommandLine.arguments.dropFirst())).rawValue)
