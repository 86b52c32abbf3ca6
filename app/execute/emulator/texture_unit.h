// Executes texture fetches and surface accesses: finds the object that a handle names and the addresses of its texels,
// and leaves the accesses to the memory unit, which checks and records them.
#pragma once

#include "base/texture_object.h"
#include "execute/emulator/launch_state.h"
#include "execute/emulator/machine.h"
#include "execute/emulator/memory_unit.h"
#include "execute/emulator/recorder.h"
#include "execute/simt/texture.h"

#include <array>
#include <cstdint>
#include <optional>

namespace lanescope::execute {

template <class Level>
class TextureUnit {
  public:
    TextureUnit(LaunchState& launch, const Recorder<Level>& recorder, MemoryUnit<Level>& memory)
        : launch_(launch), code_(launch.code), recorder_(recorder), memory_(memory) {}

    /// tex
    void fetch(const WarpStep& step);
    /// suld, sust
    void access_surface(const WarpStep& step);

  private:
    /// Each lane's components, and whether they depend on input data.
    struct Results {
        std::array<Components, warp_size> lane{};
        LaneMask input_dependent;
    };

    /// visit(object, lanes) for the lanes of each handle. A handle that names no object is a fault that ends the
    /// launch.
    template <class Visit>
    void for_each_object(const WarpStep& step, std::uint64_t magic, Visit visit);
    void fetch_from(const WarpStep& step, const TextureObject& texture, LaneMask lanes, Results& results);
    void write(const WarpStep& step, const Results& results);
    /// The address of the lane's texels in the surface; nothing if they are outside of it.
    std::optional<std::uint64_t> place_in(const WarpStep& step, const TextureObject& surface, unsigned lane);

    LaunchState& launch_;
    const Code& code_;
    const Recorder<Level>& recorder_;
    MemoryUnit<Level>& memory_;
};

extern template class TextureUnit<FixedLevel<RecordLevel::counts>>;
extern template class TextureUnit<FixedLevel<RecordLevel::accesses>>;
extern template class TextureUnit<FixedLevel<RecordLevel::registers>>;

}  // namespace lanescope::execute
