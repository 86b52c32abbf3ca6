#include "compile/cache.h"

#include "base/files.h"
#include "base/fnv1a.h"
#include "base/whole_number.h"

#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace lanescope::compile {

namespace fs = std::filesystem;

namespace {

// Format: the mark, then each text as its length, a newline and its bytes, and last the hash of everything before it,
// which detects damage. A hash of the key names the file; the file contains the key, which is compared in full.
constexpr std::string_view mark = "lanescope compilation 1\n";

void put(std::string& file, std::string_view text) { file += fmt::format("{}\n{}", text.size(), text); }

/// Reads the texts of a file in order; after malformed data it returns empty texts, and good() is false.
class Reader {
  public:
    explicit Reader(std::string_view rest) : rest_(rest) {}
    [[nodiscard]] bool good() const { return good_; }
    [[nodiscard]] bool at_end() const { return rest_.empty(); }

    std::string text() {
        const auto size = take_number<std::uint64_t>(rest_);
        if (!good_ || !size || !rest_.starts_with('\n') || *size > rest_.size() - 1) {
            good_ = false;
            return {};
        }
        std::string result(rest_.substr(1, *size));
        rest_.remove_prefix(1 + *size);
        return result;
    }

    std::uint64_t number() {
        const auto value = whole_number<std::uint64_t>(text());
        good_ = good_ && value.has_value();
        return value.value_or(0);
    }

  private:
    std::string_view rest_;
    bool good_ = true;
};

}  // namespace

Cache Cache::of_environment() {
    const auto variable = [](const char* name) -> std::string {
        const char* value = std::getenv(name);
        return value != nullptr ? value : "";
    };
    if (const std::string given = variable("LANESCOPE_CACHE"); !given.empty())
        return Cache(given == "off" ? std::nullopt : std::optional<fs::path>(given));
    if (const std::string base = variable("XDG_CACHE_HOME"); base.starts_with('/'))
        return Cache(fs::path(base) / "lanescope");
    if (const std::string home = variable("HOME"); !home.empty()) return Cache(fs::path(home) / ".cache" / "lanescope");
    return Cache(std::nullopt);
}

fs::path Cache::file_of(const std::string& key) const {
    return folder_.value_or(fs::path()) / fmt::format("{:016x}.ptx-cache", fnv1a(key));
}

std::optional<CompileOutput> Cache::find(const std::string& key) const {
    if (!folder_) return std::nullopt;
    const auto file = read_file(file_of(key));
    constexpr std::size_t hash_digits = 16;
    if (!file || !file->starts_with(mark) || file->size() < mark.size() + hash_digits) return std::nullopt;
    const std::string_view body = std::string_view(*file).substr(0, file->size() - hash_digits);
    if (fmt::format("{:016x}", fnv1a(body)) != std::string_view(*file).substr(body.size())) return std::nullopt;

    Reader reader(body.substr(mark.size()));
    if (reader.text() != key) return std::nullopt;
    CompileOutput output;
    output.cached = true;
    output.ptx = reader.text();
    output.arch = unsigned(reader.number());
    for (std::uint64_t left = reader.number(); left > 0 && reader.good(); --left) {
        std::string name = reader.text();
        output.names.emplace(std::move(name), reader.text());
    }
    for (std::uint64_t left = reader.number(); left > 0 && reader.good(); --left) {
        Diagnostic diagnostic;
        diagnostic.severity = Diagnostic::Severity(reader.number());
        diagnostic.line = unsigned(reader.number());
        diagnostic.column = unsigned(reader.number());
        diagnostic.text = reader.text();
        output.diagnostics.push_back(std::move(diagnostic));
    }
    if (!reader.good() || !reader.at_end()) return std::nullopt;
    return output;
}

void Cache::keep(const std::string& key, const CompileOutput& output) const {
    if (!folder_) return;
    std::string file(mark);
    const auto number = [&](std::uint64_t value) { put(file, std::to_string(value)); };
    put(file, key);
    put(file, output.ptx);
    number(output.arch);
    number(output.names.size());
    for (const auto& [name, mangled] : output.names) {
        put(file, name);
        put(file, mangled);
    }
    number(output.diagnostics.size());
    for (const Diagnostic& diagnostic : output.diagnostics) {
        number(std::uint64_t(diagnostic.severity));
        number(diagnostic.line);
        number(diagnostic.column);
        put(file, diagnostic.text);
    }
    file += fmt::format("{:016x}", fnv1a(file));

    std::error_code error;
    fs::create_directories(*folder_, error);
    // A cache that cannot be written only costs time.
    static_cast<void>(write_file(file_of(key), file));
}

}  // namespace lanescope::compile
