#include "host/device_memory.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

namespace lanescope::host {

Result<DeviceMemory> DeviceMemory::create() {
    const auto refused = [] {
        return fail(fmt::format("the memory of the emulated device cannot be made: {}",
                                std::generic_category().message(errno)));
    };
    const int descriptor = memfd_create("lanescope-device", MFD_CLOEXEC);
    if (descriptor < 0) return refused();
    void* mapping = MAP_FAILED;
    if (ftruncate(descriptor, static_cast<off_t>(device_bytes)) == 0)
        mapping = mmap(nullptr, device_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, descriptor, 0);
    if (mapping == MAP_FAILED) {
        auto problem = refused();
        close(descriptor);
        return problem;
    }
    return DeviceMemory(descriptor, static_cast<std::byte*>(mapping));
}

DeviceMemory::DeviceMemory(DeviceMemory&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), mapping_(std::exchange(other.mapping_, nullptr)) {}

DeviceMemory& DeviceMemory::operator=(DeviceMemory&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    std::swap(mapping_, other.mapping_);
    return *this;
}

DeviceMemory::~DeviceMemory() {
    if (mapping_ != nullptr) munmap(mapping_, device_bytes);
    if (descriptor_ >= 0) close(descriptor_);
}

std::vector<ByteRun> DeviceMemory::filled(std::uint64_t address, std::uint64_t bytes) const {
    std::vector<ByteRun> runs;
    const auto begin = static_cast<off_t>(address - device_base), end = begin + static_cast<off_t>(bytes);
    for (off_t at = begin; at < end;) {
        const off_t data = lseek(descriptor_, at, SEEK_DATA);
        if (data < 0 && errno != ENXIO) return {{0, bytes}};  // SEEK_DATA is not supported: assume all of it
        if (data < 0 || data >= end) break;
        const off_t hole = lseek(descriptor_, data, SEEK_HOLE);
        const off_t past = hole < 0 ? end : std::min(hole, end);
        runs.push_back({static_cast<std::uint64_t>(data - begin), static_cast<std::uint64_t>(past - data)});
        at = past;
    }
    return runs;
}

std::uint64_t DeviceMemory::taken() const {
    struct stat facts = {};
    constexpr std::uint64_t block_bytes = 512;  // stat(3type)
    return fstat(descriptor_, &facts) == 0 ? static_cast<std::uint64_t>(facts.st_blocks) * block_bytes : 0;
}

void DeviceMemory::discard(std::uint64_t address, std::uint64_t bytes) const {
    fallocate(descriptor_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(address - device_base),
              static_cast<off_t>(bytes));
}

}  // namespace lanescope::host
