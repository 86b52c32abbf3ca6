#include "execute/gpu/cub_library.h"

#include "base/shared_library.h"

#include <fmt/format.h>

#include <utility>

namespace lanescope::execute {

namespace {

using Make = void*(int scan, const char* type, std::uint64_t n, std::uint64_t copies);
using Run = int(void* made, std::uint64_t copy);
using Agrees = int(void* made);
using End = void(void* made);

struct Functions {
    Make* make = nullptr;
    Run* run = nullptr;
    Agrees* agrees = nullptr;
    End* end = nullptr;
};

class Cub : public Contender {
  public:
    Cub(Functions functions, CubWork work) : functions_(functions), work_(std::move(work)) {}
    ~Cub() override {
        if (made_ != nullptr) functions_.end(made_);
    }

    Result<void> prepare(unsigned copies) override {
        made_ = functions_.make(work_.scan ? 1 : 0, work_.type.c_str(), work_.n, copies);
        if (made_ == nullptr) return fail(fmt::format("{} has no type {}", work_.name(), work_.type));
        if (functions_.agrees(made_) == 0)
            return fail(fmt::format("the result of {} differs from the CPU's", work_.name()));
        return {};
    }
    Result<void> run(unsigned copy) override {
        if (const int status = functions_.run(made_, copy); status != 0)
            return fail(fmt::format("{} failed with error {}", work_.name(), status));
        return {};
    }

  private:
    Functions functions_;
    CubWork work_;
    void* made_ = nullptr;
};

}  // namespace

Result<std::unique_ptr<Contender>> cub_contender(const std::filesystem::path& library, CubWork work) {
    SharedLibrary cub(library.string());
    if (!cub.is_loaded()) return fail(fmt::format("{} cannot be loaded: {}", library.string(), cub.error()));
    Functions functions;
    cub.resolve(functions.make, "lanescope_cub_make");
    cub.resolve(functions.run, "lanescope_cub_run");
    cub.resolve(functions.agrees, "lanescope_cub_agrees");
    cub.resolve(functions.end, "lanescope_cub_end");
    if (!cub.missing().empty()) return fail(fmt::format("{} is not the library that calls CUB", library.string()));
    return std::make_unique<Cub>(functions, std::move(work));
}

}  // namespace lanescope::execute
