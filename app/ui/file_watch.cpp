#include "ui/file_watch.h"

namespace lanescope::ui {

FileWatch::Stamp FileWatch::look(const std::string& path) {
    std::error_code error;
    const auto time = std::filesystem::last_write_time(path, error);
    if (error) return {};
    const std::uintmax_t size = std::filesystem::file_size(path, error);
    if (error) return {};
    return {.time = time.time_since_epoch().count(), .size = size, .there = true};
}

bool FileWatch::changed(const std::string& path) {
    const Stamp now = path.empty() ? Stamp{} : look(path);
    if (path != path_) {
        path_ = path;
        known_ = last_ = now;
        missed_ = !now.there;
        return false;
    }
    settled_ = now == last_;
    last_ = now;
    if (now.there) missed_ = false;
    if (!now.there || !settled_ || now == known_) return false;
    known_ = now;
    return true;
}

bool FileWatch::gone() {
    if (path_.empty() || last_.there || !settled_ || missed_) return false;
    return missed_ = true;
}

}  // namespace lanescope::ui
