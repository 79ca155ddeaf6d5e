import Foundation
import FuzzInvariants
import Testing

@testable import Fuzz

/// The planted defects of this package fit its sources as they are.
@Suite struct PlantedListTests {
  private let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path

  /// LAB-24: each area has defects, and each defect can be planted, all in one build.
  @Test func everyDefectCanBePlanted() throws {
    let defects = try PlantedDefect.all(in: root)
    for area in ["API", "TRN", "OPT", "ID", "CON"] {
      #expect(defects.count { $0.area == area } >= 4, "\(area)")
    }
    let switched = defects.enumerated().filter { $0.element.kind.isSwitched }
      .map { (number: $0.offset + 1, defect: $0.element) }
    var files: [String] = []
    for defect in defects where !files.contains(defect.file) { files.append(defect.file) }
    for file in files {
      let text = try String(contentsOfFile: root + "/" + file, encoding: .utf8)
      let here = switched.filter { $0.defect.file == file }
      let planted = try PlantedSources.plant(here, in: file, text: text)
      for (number, _) in here {
        #expect(planted.text.contains("plantedDefect == \(number)"))
      }
      for defect in defects where defect.file == file && !defect.kind.isSwitched {
        let alone = try PlantedSources.plant(here, declaration: defect, in: file, text: text)
        #expect(alone.text != planted.text)
      }
    }
  }

  @Test func everyDefectNamesWhatExists() throws {
    let requirements = RequirementCatalogue.all.map(\.id)
    let invariants = Judge.catalogue.map(\.id)
    for defect in try PlantedDefect.all(in: root) {
      #expect(requirements.contains(defect.requirement), "\(defect.id): \(defect.requirement)")
      for invariant in defect.invariants {
        #expect(invariants.contains(invariant), "\(defect.id): \(invariant)")
      }
    }
  }
}
