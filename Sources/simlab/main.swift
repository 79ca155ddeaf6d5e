import Foundation

let tool = CommandLineTool(verbs: [
  RunVerb.self,
  ListVerb.self,
])

exit(tool.run(Array(CommandLine.arguments.dropFirst())).rawValue)
