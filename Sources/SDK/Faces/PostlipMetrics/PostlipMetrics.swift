@_exported import SDK
