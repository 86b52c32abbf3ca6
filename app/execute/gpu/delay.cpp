#include "execute/gpu/delay.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

namespace lanescope::execute {

namespace {

constexpr const char* delay_ptx = R"(.version 6.3
.target sm_50
.address_size 64
.visible .entry delay(.param .u64 nanoseconds)
{
	.reg .pred %p;
	.reg .b64 %begin, %now, %length;
	ld.param.u64 %length, [nanoseconds];
	mov.u64 %begin, %globaltimer;
again:
	mov.u64 %now, %globaltimer;
	sub.u64 %now, %now, %begin;
	setp.lt.u64 %p, %now, %length;
	@%p bra again;
	ret;
}
)";

}  // namespace

Result<Delay> Delay::make(const Device& device) {
    auto module = DeviceModule::load(device, delay_ptx);
    if (!module) return std::unexpected(module.error());
    const auto kernel = module->kernel("delay", 0);
    if (!kernel) return std::unexpected(kernel.error());
    return Delay(device, std::move(*module), *kernel);
}

Result<void> Delay::start(std::size_t calls) const {
    // A call takes a few microseconds, more on a virtual machine.
    constexpr std::uint64_t least = 200'000, each = 10'000, most = 20'000'000;
    std::uint64_t nanoseconds = std::min(least + calls * each, most);
    std::array<void*, 1> arguments{&nanoseconds};
    const Status status = device_->driver().launch(kernel_, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments.data(), nullptr);
    if (status != 0) return std::unexpected(device_->driver().problem("the GPU rejects the measurement", status));
    return {};
}

}  // namespace lanescope::execute
