#include "session/kept_steps.h"

#include "base/fnv1a.h"
#include "base/whole_number.h"
#include "session/emulator_machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <map>
#include <optional>
#include <vector>

namespace lanescope::session {

namespace {

constexpr std::string_view usual_launch = "launch", cooperative_launch = "launch-cooperative";

using Kind = host::ProgramStep::Kind;

/// How device memory is written, and the word for it.
struct Write {
    host::WriteKind kind;
    std::string_view verb;
};
constexpr std::array<Write, 3> writes{
    {{host::WriteKind::from_host, "write"}, {host::WriteKind::from_device, "copy"}, {host::WriteKind::fill, "fill"}}};

constexpr std::string_view first_line = "host steps 1";

/// The identity of the run that the steps belong to.
std::string identity_of(const Plan& plan) {
    return fmt::format("of {:016x} n={} block={} input={}", fnv1a(plan.program.source.text), plan.variables.n,
                       plan.variables.block, plan.input);
}

std::string hex_of(std::span<const std::byte> bytes) {
    std::string text;
    text.reserve(bytes.size() * 2);
    for (const std::byte byte : bytes) text += fmt::format("{:02x}", std::to_integer<unsigned>(byte));
    return text;
}

// --- Steps -> text ---------------------------------------------------------------------------------------------

class StepsWriter {
  public:
    StepsWriter(const Plan& plan, const ptx::Module& module)
        : module_(module), source_(std::filesystem::path(plan.program.source.name).filename()) {
        text_ = fmt::format("{}\n{}\n", first_line, identity_of(plan));
    }

    Result<std::string> write(const host::ProgramRun& run) {
        if (run.end.how != host::ProgramEnd::How::exited) return fail("the program did not run to its end");
        for (const host::ProgramStep& step : run.steps) {
            if (Result<void> added = add(step); !added) return std::unexpected(added.error());
        }
        text_ += fmt::format("end {}\n", run.end.code);
        return text_ + fmt::format("checksum {:016x}\n", fnv1a(text_));
    }

  private:
    struct Allocation {
        std::size_t number = 0;
        std::uint64_t bytes = 0;
    };

    Result<void> add(const host::ProgramStep& step) {
        const std::uint32_t line = std::filesystem::path(step.where.file).filename() == source_ ? step.where.line : 0;
        switch (step.kind) {
            case Kind::allocate: {
                if (step.memory != host::MemoryKind::device) return cannot(step);
                const std::size_t number = allocations_.size();
                allocations_.insert_or_assign(step.address, Allocation{.number = number, .bytes = step.bytes});
                text_ += fmt::format("allocate {} {} {} {} {}\n", step.address - host::device_base, step.bytes, line,
                                     step.variable.empty() ? "-" : step.variable, step.type.empty() ? "-" : step.type);
                return {};
            }
            case Kind::write: {
                const auto place = place_of(step.address, step.bytes);
                const auto verb = std::ranges::find(writes, step.written, &Write::kind);
                if (!place || step.content.size() != step.bytes || verb == writes.end()) return cannot(step);
                text_ += fmt::format("{} {} {} {}", verb->verb, *place, line, hex_of(step.content));
                if (step.written == host::WriteKind::from_device) {
                    const auto from = place_of(step.from, step.bytes);
                    if (!from) return cannot(step);
                    text_ += fmt::format(" {}", *from);
                }
                text_ += '\n';
                return {};
            }
            case Kind::read: {
                const auto place = place_of(step.address, step.bytes);
                if (!place) return cannot(step);
                text_ += fmt::format("read {} {} {}\n", *place, step.bytes, line);
                return {};
            }
            case Kind::release: {
                const auto found = allocations_.find(step.address);
                if (found == allocations_.end()) return cannot(step);
                text_ += fmt::format("free a{} {}\n", found->second.number, line);
                return {};
            }
            case Kind::synchronize: text_ += fmt::format("synchronize {}\n", line); return {};
            case Kind::launch: return add_launch(step, line);
            case Kind::print:
            case Kind::error:
            case Kind::fault:
            case Kind::remark:
            case Kind::call: break;
        }
        return cannot(step);
    }

    Result<void> add_launch(const host::ProgramStep& step, std::uint32_t line) {
        const host::KernelLaunch& launch = step.launch;
        const ptx::Function* const kernel = module_.find(launch.function);
        if (step.error != 0 || kernel == nullptr) return cannot(step);
        const std::string_view verb = launch.cooperative ? cooperative_launch : usual_launch;
        text_ += fmt::format("{} {} {} {} {} {}", verb, line, launch.function, fmt::join(launch.grid, ","),
                             fmt::join(launch.block, ","), launch.dynamic_shared_bytes);
        for (const ptx::Variable& parameter : kernel->parameters) {
            if (parameter.offset + parameter.bytes > launch.parameters.size()) return cannot(step);
            const auto bytes = std::span(launch.parameters).subspan(parameter.offset, parameter.bytes);
            std::uint64_t address = 0;
            if (bytes.size() == sizeof address) std::memcpy(&address, bytes.data(), sizeof address);
            const auto place = address == 0 ? std::nullopt : place_of(address, 1);
            text_ += fmt::format(" {}={}", parameter.offset, place ? *place : hex_of(bytes));
        }
        text_ += '\n';
        return {};
    }

    [[nodiscard]] std::optional<std::string> place_of(std::uint64_t address, std::uint64_t bytes) const {
        const auto after = allocations_.upper_bound(address);
        if (after == allocations_.begin()) return std::nullopt;
        const auto& [begin, allocation] = *std::prev(after);
        const std::uint64_t offset = address - begin;
        if (offset > allocation.bytes || bytes > allocation.bytes - offset) return std::nullopt;
        return fmt::format("a{}+{}", allocation.number, offset);
    }

    static std::unexpected<Problem> cannot(const host::ProgramStep& step) {
        return fail(fmt::format("a step cannot be kept: {} {}", trace::name_of(kind_of(step.kind)), step.what));
    }

    const ptx::Module& module_;
    std::filesystem::path source_;
    std::string text_;
    std::map<std::uint64_t, Allocation> allocations_;  ///< by address
};

// --- Text -> steps ---------------------------------------------------------------------------------------------

std::optional<std::vector<std::byte>> bytes_of(std::string_view hex) {
    if (hex.size() % 2 != 0) return std::nullopt;
    std::vector<std::byte> bytes(hex.size() / 2);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        const auto value = whole_number<unsigned>(hex.substr(2 * i, 2), 16);
        if (!value) return std::nullopt;
        bytes[i] = static_cast<std::byte>(*value);
    }
    return bytes;
}

/// Takes the words of a line one by one.
class Words {
  public:
    explicit Words(std::string_view line) : rest_(line) {}
    std::string_view next() {
        const std::size_t end = std::min(rest_.find(' '), rest_.size());
        const std::string_view word = rest_.substr(0, end);
        rest_.remove_prefix(std::min(end + 1, rest_.size()));
        return word;
    }
    std::string_view rest() { return std::exchange(rest_, {}); }
    [[nodiscard]] bool done() const { return rest_.empty(); }

  private:
    std::string_view rest_;
};

class StepsReader {
  public:
    explicit StepsReader(const Plan& plan) : source_(std::filesystem::path(plan.program.source.name).filename()) {}

    /// False: the line is no step.
    bool read(std::string_view line) {
        if (ended_) return false;
        Words words(line);
        const std::string_view kind = words.next();
        host::ProgramStep step;
        bool good = false;
        if (kind == "allocate")
            good = allocate(words, step);
        else if (const auto way = std::ranges::find(writes, kind, &Write::verb); way != writes.end())
            step.written = way->kind, good = write(words, step);
        else if (kind == "read")
            good = read(words, step);
        else if (kind == "free")
            good = release(words, step);
        else if (kind == "synchronize")
            step.kind = Kind::synchronize, good = at_line(words.next(), step);
        else if (kind == usual_launch || kind == cooperative_launch)
            good = launch(words, step, kind == cooperative_launch);
        else if (kind == "end")
            return end(words);
        if (!good || !words.done()) return false;
        run_.steps.push_back(std::move(step));
        return true;
    }

    [[nodiscard]] bool ended() const { return ended_; }
    [[nodiscard]] host::ProgramRun run() { return std::move(run_); }

  private:
    struct Allocation {
        std::uint64_t address = 0, bytes = 0;
        bool freed = false;
    };

    bool at_line(std::string_view word, host::ProgramStep& step) {
        const auto line = whole_number<std::uint32_t>(word);
        if (line && *line != 0) step.where = {.file = source_, .line = *line};
        return line.has_value();
    }

    /// "a0+12", with as many bytes there in an allocation that lives.
    [[nodiscard]] std::optional<std::uint64_t> address_of(std::string_view place, std::uint64_t bytes) const {
        const std::size_t plus = place.find('+');
        if (!place.starts_with('a') || plus == std::string_view::npos) return std::nullopt;
        const auto number = whole_number<std::uint64_t>(place.substr(1, plus - 1)),
                   offset = whole_number<std::uint64_t>(place.substr(plus + 1));
        if (!number || !offset || *number >= allocations_.size()) return std::nullopt;
        const Allocation& allocation = allocations_[*number];
        if (allocation.freed || *offset > allocation.bytes || bytes > allocation.bytes - *offset) return std::nullopt;
        return allocation.address + *offset;
    }

    bool allocate(Words& words, host::ProgramStep& step) {
        const auto offset = whole_number<std::uint64_t>(words.next()),
                   bytes = whole_number<std::uint64_t>(words.next());
        if (!offset || !bytes || !at_line(words.next(), step)) return false;
        step.kind = Kind::allocate;
        step.address = host::device_base + *offset;
        step.bytes = *bytes;
        if (*offset >= host::device_bytes || !host::DeviceMemory::holds(step.address, step.bytes)) return false;
        const std::string_view name = words.next(), type = words.rest();
        if (name.empty() || type.empty()) return false;
        if (name != "-") step.variable = name;
        if (type != "-") step.type = type;
        for (const Allocation& other : allocations_) {
            if (step.address < other.address + other.bytes && other.address < step.address + step.bytes) return false;
        }
        allocations_.push_back({.address = step.address, .bytes = step.bytes});
        return true;
    }

    bool write(Words& words, host::ProgramStep& step) {
        const std::string_view place = words.next();
        if (!at_line(words.next(), step)) return false;
        auto content = bytes_of(words.next());
        if (!content) return false;
        const auto address = address_of(place, content->size());
        if (!address) return false;
        step.kind = Kind::write;
        step.address = *address;
        step.bytes = content->size();
        step.content = *std::move(content);
        if (const std::string_view from = words.next(); !from.empty()) {  // of a copy on the device
            const auto source = address_of(from, step.bytes);
            if (!source) return false;
            step.from = *source;
        }
        return true;
    }

    bool read(Words& words, host::ProgramStep& step) {
        const std::string_view place = words.next();
        const auto bytes = whole_number<std::uint64_t>(words.next());
        const auto address = bytes ? address_of(place, *bytes) : std::nullopt;
        if (!address || !at_line(words.next(), step)) return false;
        step.kind = Kind::read;
        step.address = *address;
        step.bytes = *bytes;
        return true;
    }

    bool release(Words& words, host::ProgramStep& step) {
        const auto address = address_of(fmt::format("{}+0", words.next()), 0);
        if (!address || !at_line(words.next(), step)) return false;
        step.kind = Kind::release;
        step.address = *address;
        std::ranges::find(allocations_, *address, &Allocation::address)->freed = true;
        return true;
    }

    static bool extent(std::string_view text, std::uint32_t (&extent)[3]) {
        for (std::uint32_t& size : extent) {
            const std::size_t end = std::min(text.find(','), text.size());
            const auto number = whole_number<std::uint32_t>(text.substr(0, end));
            if (!number || *number == 0) return false;
            size = *number;
            text.remove_prefix(std::min(end + 1, text.size()));
        }
        return text.empty();
    }

    bool launch(Words& words, host::ProgramStep& step, bool whole_grid) {
        step.kind = Kind::launch;
        step.launch.cooperative = whole_grid;
        if (!at_line(words.next(), step)) return false;
        step.launch.function = words.next();
        if (!extent(words.next(), step.launch.grid) || !extent(words.next(), step.launch.block)) return false;
        const auto shared = whole_number<std::uint64_t>(words.next());
        if (!shared) return false;
        step.launch.dynamic_shared_bytes = *shared;
        while (!words.done()) {
            if (!parameter(words.next(), step.launch.parameters)) return false;
        }
        return true;
    }

    [[nodiscard]] bool parameter(std::string_view text, std::vector<std::byte>& parameters) const {
        constexpr std::uint64_t most_bytes = 32764;  // CUDA C++ Programming Guide, "__global__ function parameters"
        const std::size_t equals = std::min(text.find('='), text.size());
        const auto offset = whole_number<std::uint64_t>(text.substr(0, equals));
        if (!offset || equals == text.size()) return false;
        const std::string_view value = text.substr(equals + 1);
        std::vector<std::byte> bytes;
        if (const auto address = address_of(value, 0)) {
            bytes.resize(sizeof *address);
            std::memcpy(bytes.data(), &*address, sizeof *address);
        } else if (auto plain = bytes_of(value); plain && !plain->empty()) {
            bytes = *std::move(plain);
        } else {
            return false;
        }
        if (*offset < parameters.size() || *offset + bytes.size() > most_bytes) return false;
        parameters.resize(*offset);  // padding
        parameters.insert(parameters.end(), bytes.begin(), bytes.end());
        return true;
    }

    bool end(Words& words) {
        const auto status = whole_number<std::uint32_t>(words.next());
        if (!status || !words.done()) return false;
        run_.end.code = static_cast<int>(*status);
        ended_ = true;
        return true;
    }

    std::string source_;
    host::ProgramRun run_;
    std::vector<Allocation> allocations_;
    bool ended_ = false;
};

}  // namespace

std::string kept_steps_path(const Program& program) {
    return program.source.name.substr(0, program.source.name.rfind('.')) + ".steps";
}

Result<std::string> steps_text(const Plan& plan, const ptx::Module& module, const host::ProgramRun& run) {
    return StepsWriter(plan, module).write(run);
}

Result<host::ProgramRun> steps_from_text(std::string_view text, const Plan& plan, const std::string& file) {
    const auto damaged = [&](unsigned line) {
        return fail("the kept host steps are damaged", Place{.file = file, .line = line}, reinstall);
    };
    const std::size_t last = text.rfind("checksum ");
    if (last == std::string_view::npos ||
        text.substr(last) != fmt::format("checksum {:016x}\n", fnv1a(text.substr(0, last))))
        return damaged(0);
    std::string_view rest = text.substr(0, last);
    const auto next_line = [&] {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        const std::string_view line = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        return line;
    };
    if (next_line() != first_line) return damaged(1);
    if (next_line() != identity_of(plan))
        return fail("the kept host steps are of another source or launch", Place{.file = file, .line = 2},
                    "Make them again: `ninja keep_ptx`.");
    StepsReader reader(plan);
    for (unsigned line = 3; !rest.empty(); ++line) {
        if (!reader.read(next_line())) return damaged(line);
    }
    if (!reader.ended()) return damaged(0);
    return reader.run();
}

}  // namespace lanescope::session
