#include "execute/emulator/derivation.h"

#include <algorithm>
#include <set>

namespace lanescope::execute {

namespace {

/// A load's result depends on input where its memory does; parameters belong to the launch and are not input.
bool brings_data(const Code& code, const Micro& micro) {
    switch (micro.kind) {
        case Kind::load: {
            const MemoryAccess& access = code.accesses[micro.access];
            return access.space != ptx::Space::param || access.call_parameter;
        }
        case Kind::atomic: return true;
        default: return false;
    }
}

bool reads_derived(const Micro& micro, const std::set<std::uint32_t>& derived) {
    for (const std::uint32_t source : micro.derived_source) {
        if (derived.contains(source)) return true;
    }
    return (micro.kind == Kind::shuffle || micro.kind == Kind::reduce) && derived.contains(micro.operands[0].derived);
}

}  // namespace

void mark_derivation(Code& code) {
    std::set<std::uint32_t> derived;  // offsets of their derived lanes
    for (bool grew = true; grew;) {
        grew = false;
        for (Micro& micro : code.micros) {
            if (micro.tracks || !(brings_data(code, micro) || reads_derived(micro, derived))) continue;
            micro.tracks = true;
            grew = true;
            for (const Destination& destination : code.destinations_of(micro)) {
                if (destination.row != Row::predicate) derived.insert(destination.derived);
            }
        }
    }
    // A constant written over data makes the register independent of input again.
    for (Micro& micro : code.micros) {
        const auto may_be_derived = [&](const Destination& to) { return derived.contains(to.derived); };
        if (micro.kind == Kind::compute && std::ranges::any_of(code.destinations_of(micro), may_be_derived)) {
            micro.tracks = true;
        }
    }
}

}  // namespace lanescope::execute
