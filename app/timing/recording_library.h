// The available recordings: those that ship with the program, the user's own, and one in progress. Measurements on one
// machine with the same software on one day are merged, as are those continued on the next day.
#pragma once

#include "timing/measurement.h"

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace lanescope::timing {

struct LibraryEntry {
    Recording recording;
    std::vector<std::string> files;  ///< the files that were merged into it
    /// Was the recording read from a document rather than measured?
    [[nodiscard]] bool quoted() const { return recording.command.empty(); }
};

/// "NVIDIA H200, driver 580.95.05, NVRTC 13.0, 2026-11-21"; for a document, its source.
[[nodiscard]] std::string label(const Recording& recording);

/// A repeated measurement of a point or a ceiling replaces the earlier one.
void merge(Recording& into, const Recording& from);

class RecordingLibrary {
  public:
    /// Merges recordings of the same device, driver and toolkit that have a day in common. Returns the recording's
    /// index.
    std::size_t add(const Recording& recording, const std::string& file);
    /// Reads a file; fails with the problem.
    Result<std::size_t> add_file(const std::filesystem::path& file);
    /// Adds all recordings of a folder, by name, and reports unreadable files. No folder, no recordings.
    std::vector<Problem> add_folder(const std::filesystem::path& folder);

    [[nodiscard]] std::span<const LibraryEntry> all() const { return all_; }
    [[nodiscard]] const LibraryEntry& operator[](std::size_t index) const { return all_[index]; }
    /// The measured recording with the most points; nothing for a library without one.
    [[nodiscard]] std::optional<std::size_t> largest() const;
    /// The lecture's own table; null: none.
    [[nodiscard]] const Recording* quoted() const;
    /// The recording itself if it has reads by few warps, otherwise the first one that has; null: none.
    [[nodiscard]] const Recording* with_resident_reads(const Recording& recording) const;

  private:
    std::vector<LibraryEntry> all_;
};

/// The recordings that ship with the program.
[[nodiscard]] const RecordingLibrary& shipped_recordings();
/// The recordings that ship and the user's own, which are read again on each call.
[[nodiscard]] RecordingLibrary all_recordings();

}  // namespace lanescope::timing
