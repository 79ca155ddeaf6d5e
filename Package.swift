// swift-tools-version: 6.0
import PackageDescription

/// The lab's own targets, which no product for apps contains, trust in release what debug builds
/// check at run time: that no two accesses to one variable overlap. It is a tenth of a seed's time.
let lab: [SwiftSetting] = [
  .unsafeFlags(["-enforce-exclusivity=unchecked"], .when(configuration: .release))
]

let package = Package(
  name: "simlab",
  products: [
    .library(name: "PostlipMetrics", targets: ["PostlipMetrics"]),
    .executable(name: "simlab", targets: ["simlab"]),
  ],
  targets: [
    .systemLibrary(
      name: "CZlib", path: "Sources/CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .target(name: "SimKernel", path: "Sources/SimKernel", swiftSettings: lab),
    .target(
      name: "SDK", dependencies: ["CZlib"], path: "Sources/SDK", exclude: ["Faces", "schemas"],
      resources: [.copy("PrivacyInfo.xcprivacy")]),
    .target(
      name: "PostlipMetrics", dependencies: ["SDK"], path: "Sources/SDK/Faces/PostlipMetrics"),
    .target(
      name: "FuzzHistory", dependencies: ["SimKernel"], path: "Sources/Fuzz/History",
      swiftSettings: lab),
    .target(
      name: "FuzzScenario", dependencies: ["SimKernel", "FuzzHistory"],
      path: "Sources/Fuzz/Scenario", swiftSettings: lab),
    .target(
      name: "FuzzInvariants", dependencies: ["SimKernel", "FuzzHistory", "CZlib"],
      path: "Sources/Fuzz/Invariants", swiftSettings: lab),
    .target(
      name: "FuzzWorld", dependencies: ["SimKernel", "SDK", "FuzzHistory", "FuzzScenario"],
      path: "Sources/Fuzz/World", swiftSettings: lab),
    .target(name: "FuzzProperty", dependencies: ["SimKernel"], path: "Sources/Fuzz/Property"),
    .target(
      name: "Fuzz",
      dependencies: [
        "SimKernel", "FuzzHistory", "FuzzScenario", "FuzzInvariants", "FuzzWorld", "FuzzProperty",
      ],
      path: "Sources/Fuzz/Lab", swiftSettings: lab),
    .executableTarget(name: "simlab", dependencies: ["Fuzz"], path: "Sources/simlab"),
    .target(name: "CommandSupport", path: "Tests/Support"),
    .testTarget(name: "SimKernelTests", dependencies: ["SimKernel"], path: "Tests/SimKernel"),
    .testTarget(
      name: "SDKTests",
      dependencies: ["SDK", "PostlipMetrics", "FuzzProperty", "FuzzInvariants", "SimKernel"],
      path: "Tests/SDK"),
    .testTarget(
      name: "SDKThreadsTests", dependencies: ["SDK", "PostlipMetrics"], path: "Tests/SDKThreads"),
    .testTarget(
      name: "FuzzHistoryTests",
      dependencies: ["FuzzHistory", "SimKernel"],
      path: "Tests/Fuzz/History"),
    .testTarget(
      name: "FuzzScenarioTests",
      dependencies: ["FuzzScenario", "FuzzProperty", "FuzzHistory", "SimKernel"],
      path: "Tests/Fuzz/Scenario"),
    .testTarget(
      name: "FuzzInvariantsTests",
      dependencies: [
        "FuzzInvariants", "FuzzHistory", "FuzzScenario", "FuzzWorld", "SimKernel", "CZlib",
      ],
      path: "Tests/Fuzz/Invariants"),
    .testTarget(
      name: "FuzzWorldTests",
      dependencies: ["FuzzWorld", "FuzzScenario", "FuzzHistory", "FuzzInvariants", "SimKernel"],
      path: "Tests/Fuzz/World"),
    .testTarget(
      name: "FuzzPropertyTests",
      dependencies: ["FuzzProperty", "SimKernel"],
      path: "Tests/Fuzz/Property"),
    .testTarget(
      name: "FuzzTests",
      dependencies: [
        "Fuzz", "FuzzScenario", "FuzzWorld", "FuzzInvariants", "FuzzHistory", "SimKernel",
        "simlab", "CommandSupport",
      ],
      path: "Tests/Fuzz/Lab"),
    .testTarget(
      name: "SimlabTests",
      dependencies: ["simlab", "CommandSupport", "FuzzHistory"], path: "Tests/simlab"),
    .testTarget(
      name: "QualityTests",
      dependencies: ["Fuzz", "FuzzScenario", "FuzzProperty", "SimKernel"],
      path: "Tests/Quality"),
    .testTarget(
      name: "DeterminismTests",
      dependencies: ["Fuzz", "FuzzWorld", "FuzzScenario", "FuzzHistory", "SimKernel"],
      path: "Tests/Determinism"),
    .testTarget(
      name: "SnapshotsTests",
      dependencies: ["simlab", "CommandSupport"],
      path: "Tests/Snapshots", exclude: ["Expected"]),
    .testTarget(name: "TidyTests", dependencies: [], path: "Tests/Tidy"),
  ]
)
