// The recordings at hand: those that ship with the program, a person's own, one that is being made. What was measured
// on one machine with the same software on one day stands together; what went on the next day, too.
#pragma once

#include "timing/measurement.h"

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace lanescope::timing {

struct LibraryEntry {
    Recording recording;
    std::vector<std::string> files;  ///< that it was put together from
    /// Read from a document, never measured by this program.
    [[nodiscard]] bool quoted() const { return recording.command.empty(); }
};

/// "NVIDIA H200, driver 580.95.05, NVRTC 13.0, 2026-11-21"; of a document what it tells.
[[nodiscard]] std::string label(const Recording& recording);

/// A point that was measured again replaces what was there; ceilings likewise.
void merge(Recording& into, const Recording& from);

class RecordingLibrary {
  public:
    /// Joins what is of the same device, driver, toolkit and day; of several days, where they share one. The index that
    /// it is found at.
    std::size_t add(const Recording& recording, const std::string& file);
    /// Reads a file; fails with what is wrong with it.
    Result<std::size_t> add_file(const std::filesystem::path& file);
    /// All recordings of a folder, by name; what cannot be read is told. None where there is no such folder.
    std::vector<Problem> add_folder(const std::filesystem::path& folder);

    [[nodiscard]] std::span<const LibraryEntry> all() const { return all_; }
    [[nodiscard]] const LibraryEntry& operator[](std::size_t index) const { return all_[index]; }
    /// The one with the most points that was measured; nothing on an empty library, or one of documents only.
    [[nodiscard]] std::optional<std::size_t> largest() const;

  private:
    std::vector<LibraryEntry> all_;
};

/// What ships with the program.
[[nodiscard]] RecordingLibrary shipped_recordings();

}  // namespace lanescope::timing
