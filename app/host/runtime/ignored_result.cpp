// Whether a caller checks the error that a function returns, from the instructions that follow the call.
//
// g++ without optimization stores or tests the result, in eax, right after the call. If the result is ignored, eax is
// overwritten, or another function called, before anything reads it (System V ABI for AMD64, 3.2.3).
#include "host/runtime/runtime.h"

#include <cstddef>

namespace lanescope::host {

namespace {

enum class ResultUse { dropped, returned, other };

/// Bytes of a ModRM operand with its SIB and displacement (Intel SDM, volume 2, table 2-2).
std::size_t operand_bytes(const unsigned char* modrm) {
    const unsigned mode = modrm[0] >> 6U, base = modrm[0] & 7U;
    if (mode == 3) return 1;
    const bool index = base == 4;
    const std::size_t displacement = mode == 1 ? 1 : mode == 2 || base == 5 ? 4 : 0;
    return 1 + (index ? 1 : 0) + displacement;
}

/// Skips up to `most` instructions that do not use eax. Both paths of a branch must ignore the result.
ResultUse use_at(const unsigned char* code, int most) {
    for (int i = 0; i < most; ++i) {
        const bool wide = (code[0] & 0xF8U) == 0x48;  // REX.W
        const unsigned extended = wide ? code[0] & 7U : 0;
        const unsigned char* at = code + (wide ? 1 : 0);
        const unsigned target = (at[1] >> 3U & 7U) | (extended & 4U) << 1U;
        switch (at[0]) {
            case 0x8B:    // mov register, memory
            case 0x8D: {  // lea
                const bool memory = at[1] >> 6U != 3;
                if (!memory || (at[0] == 0x8B && extended != 0 && extended != 4)) return ResultUse::other;
                if (target == 0) {
                    // An address computed from rax reads it.
                    const bool by_rax = (at[1] & 7U) == 0 || (at[1] & 7U) == 4;
                    return by_rax ? ResultUse::other : ResultUse::dropped;
                }
                if ((at[1] & 7U) == 0 || (at[1] & 7U) == 4) return ResultUse::other;
                code = at + 1 + operand_bytes(at + 1);
                break;
            }
            case 0xB8: return ResultUse::dropped;  // mov eax, immediate
            case 0xB9:
            case 0xBA:
            case 0xBB:
            case 0xBE:
            case 0xBF: code = at + (wide ? 9 : 5); break;  // mov of an immediate to another register
            case 0xC7:                                     // mov memory, immediate
            case 0x83: {                                   // add or cmp of memory with an immediate
                if (at[1] == 0xC4 && extended == 0) {      // add rsp: the call had arguments on the stack
                    code = at + 3;
                    break;
                }
                const bool by_frame = at[1] >> 6U != 3 && (at[1] & 7U) == 5;
                if (!by_frame) return ResultUse::other;
                code = at + 1 + operand_bytes(at + 1) + (at[0] == 0xC7 ? 4 : 1);
                break;
            }
            case 0x90: code = at + 1; break;       // nop
            case 0xE8: return ResultUse::dropped;  // the next call
            case 0x70:
            case 0x71:
            case 0x72:
            case 0x73:
            case 0x74:
            case 0x75:
            case 0x76:
            case 0x77:
            case 0x78:
            case 0x79:
            case 0x7A:
            case 0x7B:
            case 0x7C:
            case 0x7D:
            case 0x7E:
            case 0x7F: {  // jcc
                const ResultUse taken = use_at(at + 2 + static_cast<signed char>(at[1]), most - i - 1);
                const ResultUse not_taken = use_at(at + 2, most - i - 1);
                return taken == not_taken ? taken : ResultUse::other;
            }
            case 0xEB: code = at + 2 + static_cast<signed char>(at[1]); break;  // jmp
            case 0xC9:                                                          // leave
            case 0x5D: code = at + 1; break;                                    // pop rbp
            case 0xC3: return ResultUse::returned;                              // ret
            default: return ResultUse::other;
        }
    }
    return ResultUse::other;
}

}  // namespace

constexpr int most_instructions = 12;

bool ignores_result(const std::uint64_t* callers, unsigned count) {
    for (unsigned i = 0; i < count; ++i) {
        const ResultUse use = use_at(reinterpret_cast<const unsigned char*>(callers[i]), most_instructions);
        if (use != ResultUse::returned) return use == ResultUse::dropped;
    }
    return false;
}

}  // namespace lanescope::host
