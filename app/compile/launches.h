// The launches that host code makes, with their sizes where the file's constants give them.
#pragma once

#include "compile/constants.h"
#include "compile/declarations.h"
#include "compile/source.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace lanescope::compile {

[[nodiscard]] std::vector<LaunchHint> launches_of(const std::vector<Token>& code,
                                                  const std::vector<Declaration>& declarations,
                                                  const Constants& constants);

/// The device variables of `cudaMemcpy(d_in, in, bytes, cudaMemcpyHostToDevice)` and the other way round.
struct Copies {
    std::vector<std::string> in, out;
};
[[nodiscard]] Copies copies_of(const std::vector<Token>& code);

/// Bytes by device variable: `cudaMalloc((void**)&d_in, N * sizeof(float))`.
[[nodiscard]] std::map<std::string, std::uint64_t> allocations_of(const std::vector<Token>& code,
                                                                  const std::vector<Declaration>& declarations,
                                                                  const Constants& constants);

}  // namespace lanescope::compile
