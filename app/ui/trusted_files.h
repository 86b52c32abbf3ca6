// Whether the host code of a file may run: the files that the user has permitted, and the folders that they trust.
#pragma once

#include <string>
#include <vector>

namespace lanescope::ui {

/// Absolute, through links: two names of one folder are one folder. Empty for an empty path.
[[nodiscard]] std::string real_path(const std::string& file);

class TrustedFiles {
  public:
    /// Permits the file until the window closes.
    void permit(const std::string& file);
    /// Permits the files that the user has permitted there.
    void permit_as(const TrustedFiles& other) { permitted_ = other.permitted_; }
    /// `file`: empty for a kernel of the catalog, which is trusted. `folders`: and all below them.
    [[nodiscard]] bool trusts(const std::string& file, const std::vector<std::string>& folders) const;

  private:
    std::vector<std::string> permitted_;
};

}  // namespace lanescope::ui
