// PTX -> the source names of its kernels.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace lanescope::compile {

/// "demo::reduce" -> "_ZN4demo6reduceEPKiPi" for every `.entry`; instances of templates as "reduce<128u>".
/// Of overloads the first stands. extern "C" names stand for themselves.
[[nodiscard]] std::map<std::string, std::string> entry_names(std::string_view ptx);

}  // namespace lanescope::compile
