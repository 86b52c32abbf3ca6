#include "analysis/narration/operator_words.h"

namespace lanescope::analysis {

// No default: a new instruction of the table does not compile until it has its words here.
std::string_view operator_phrase(ptx::Opcode opcode) {
    using enum ptx::Opcode;
    switch (opcode) {
        case add: return "adds {1} to {0} and keeps {r}";
        case sub: return "subtracts {1} from {0} and keeps {r}";
        case mul:
        case mul24: return "multiplies {0} by {1} and keeps {r}";
        case mad:
        case mad24:
        case madc:
        case fma: return "adds {0} times {1} to {2} and keeps {r}";
        case sad: return "adds the distance of {0} and {1} to {2} and keeps {r}";
        case div: return "divides {0} by {1} and keeps {r}";
        case rem: return "divides {0} by {1} and keeps the remainder, {r}";
        case abs: return "takes the absolute value of {0}: {r}";
        case neg: return "turns the sign of {0} round: {r}";
        case min: return "keeps the smaller of {0} and {1}: {r}";
        case max: return "keeps the larger of {0} and {1}: {r}";
        case popc: return "counts the ones among the bits of {0}: {r}";
        case clz: return "counts the zeros in front of {0}, written in binary: {r}";
        case bfind: return "finds the highest bit of {0} that matters: bit {r}";
        case fns: return "finds one of the set bits of {0}: bit {r}";
        case brev: return "reverses the order of the bits of {0}: {r}";
        case bfe: return "cuts {2} bits out of {0}, from bit {1} on: {r}";
        case bfi: return "puts {3} bits of {0} into {1}, from bit {2} on: {r}";
        case szext: return "widens the low {1} bits of {0}: {r}";
        case bmsk: return "makes a mask of {1} ones from bit {0} on: {r}";
        case dp4a: return "multiplies the four bytes of {0} by those of {1}, adds them all to {2} and keeps {r}";
        case dp2a: return "multiplies the two halves of {0} by two bytes of {1}, adds both to {2} and keeps {r}";
        case addc: return "adds {1} and the carry to {0} and keeps {r}";
        case subc: return "subtracts {1} and the borrow from {0} and keeps {r}";
        case testp: return "looks what kind of number {0} is: {r}";
        case copysign: return "gives {1} the sign of {0}: {r}";
        case rcp: return "divides 1 by {0}: {r}";
        case sqrt: return "takes the square root of {0}: {r}";
        case rsqrt: return "divides 1 by the square root of {0}: {r}";
        case sin: return "takes the sine of {0}: {r}";
        case cos: return "takes the cosine of {0}: {r}";
        case lg2: return "takes the logarithm of {0} to base 2: {r}";
        case ex2: return "raises 2 to the power of {0}: {r}";
        case tanh: return "takes the hyperbolic tangent of {0}: {r}";
        case set: return "compares {0} with {1} and keeps the answer as a number, {r}";
        case setp: return "compares {0} with {1}: {r}";
        case selp:
        case slct: return "chooses between {0} and {1}: {r}";
        case and_: return "keeps the bits that {0} and {1} have in common: {r}";
        case or_: return "puts the bits of {0} and {1} together: {r}";
        case xor_: return "keeps the bits in which {0} and {1} differ: {r}";
        case not_: return "turns every bit of {0} round: {r}";
        case cnot: return "keeps 1 if {0} is 0, and 0 if not: {r}";
        case lop3: return "combines the bits of {0}, {1} and {2}: {r}";
        case shf: return "shifts the pair of {1} and {0} by {2} bits: {r}";
        case shl: return "shifts {0} to the left by {1} bits: {r}";
        case shr: return "shifts {0} to the right by {1} bits: {r}";
        case mov: return "copies {0}";
        case prmt: return "picks bytes from {0} and {1}: {r}";
        case isspacep: return "looks in which memory the address lies: {r}";
        case cvta:
        case cvt: return "converts {0} to {r}";
        case mbarrier_pending_count: return "reads how many arrivals the memory barrier still waits for: {r}";

        // What moves data, waits, branches, or is done by the lanes of a warp together is told by what happened.
        case shfl:
        case ld:
        case ldu:
        case st:
        case prefetch:
        case prefetchu:
        case cp_async:
        case cp_async_commit_group:
        case cp_async_wait_group:
        case cp_async_wait_all:
        case cp_async_mbarrier_arrive:
        case cp_async_mbarrier_arrive_noinc:
        case bra:
        case brx:
        case call:
        case ret:
        case exit:
        case bar:
        case barrier:
        case bar_warp_sync:
        case membar:
        case fence:
        case atom:
        case red:
        case vote:
        case match:
        case activemask:
        case redux:
        case mbarrier_init:
        case mbarrier_inval:
        case mbarrier_arrive:
        case mbarrier_arrive_drop:
        case mbarrier_test_wait:
        case mbarrier_try_wait:
        case nanosleep:
        case brkpt:
        case trap:
        case count: return {};
    }
    return {};
}

std::string filled(std::string_view phrase, const std::vector<std::string>& operands, const std::string& result) {
    std::string text;
    for (std::size_t at = 0; at < phrase.size(); ++at) {
        if (phrase[at] != '{') {
            text += phrase[at];
            continue;
        }
        const char place = phrase[at + 1];
        if (place == 'r') {
            text += result;
        } else {
            const auto index = static_cast<std::size_t>(place - '0');
            text += index < operands.size() ? operands[index] : "a value";
        }
        at += 2;
    }
    return text;
}

}  // namespace lanescope::analysis
