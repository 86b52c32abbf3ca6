// What is kept must be what the compiler says today; another version of the compiler may say it otherwise.
#include <gtest/gtest.h>

#include "base/embedded.h"
#include "session/kept_ptx.h"

namespace lanescope::session {
namespace {

std::string_view version_of(std::string_view ptx) {
    const std::size_t at = ptx.find("release ");
    return ptx.substr(at, ptx.find('\n', at) - at);
}

TEST(KeptPtx, IsFresh) {
    if (!compile::compiler()) GTEST_SKIP() << compile::compiler().error().message();
    for (const Program& program : catalog()) {
        for (const compile::View view : {compile::View::written, compile::View::compiled}) {
            const auto request = kept_request(program, view);
            ASSERT_TRUE(request) << program.name << request.error().message();
            const auto fresh = compile::compile(*request);
            ASSERT_TRUE(fresh) << program.name << fresh.error().problem.message();
            const auto kept = embedded_file(kept_path(program, view));
            ASSERT_TRUE(kept) << kept_path(program, view) << " is missing: run `ninja keep_ptx`";
            if (version_of(*kept) != version_of(fresh->ptx))
                GTEST_SKIP() << "kept by " << version_of(*kept) << ", here is " << version_of(fresh->ptx);
            EXPECT_TRUE(*kept == fresh->ptx) << kept_path(program, view) << " is stale: run `ninja keep_ptx`";
        }
    }
}

}  // namespace
}  // namespace lanescope::session
