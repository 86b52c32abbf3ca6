#include "base/sparse_bytes.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

namespace lanescope {

namespace {

constexpr std::uint64_t page = 4096;
/// Below `least_mapped` ordinary memory; above, a mapping; from `least_shared` on, one of a file that copies can share.
constexpr std::size_t least_mapped = std::size_t{1} << 16, least_shared = std::size_t{16} << 20;
constexpr std::size_t most_shared_runs = 64;  ///< each is a mapping of its own

bool is_zero(const std::byte* at, std::size_t bytes) {
    return bytes == 0 || (at[0] == std::byte{} && std::memcmp(at, at + 1, bytes - 1) == 0);
}

/// visit(first, bytes) for each page, or part of one, of the runs.
template <class Visit>
void for_each_page(std::span<const ByteRun> runs, std::uint64_t size, Visit visit) {
    for (const ByteRun& run : runs) {
        const std::uint64_t end = std::min(run.first + run.bytes, size);
        for (std::uint64_t at = run.first; at < end;) {
            const std::uint64_t next = std::min((at / page + 1) * page, end);
            visit(at, next - at);
            at = next;
        }
    }
}

void append(std::vector<ByteRun>& runs, std::uint64_t first, std::uint64_t bytes) {
    if (!runs.empty() && runs.back().first + runs.back().bytes == first)
        runs.back().bytes += bytes;
    else
        runs.push_back({first, bytes});
}

/// All pages of either, each once, ascending.
std::vector<ByteRun> united(std::span<const ByteRun> a, std::span<const ByteRun> b, std::uint64_t size) {
    std::vector<ByteRun> pages;
    for (const auto runs : {a, b}) {
        for (const ByteRun& run : runs) {
            const std::uint64_t first = run.first / page * page;
            const std::uint64_t end = std::min((run.first + run.bytes + page - 1) / page * page, size);
            if (end > first) pages.push_back({first, end - first});
        }
    }
    std::ranges::sort(pages, {}, &ByteRun::first);
    std::vector<ByteRun> all;
    for (const ByteRun& run : pages) {
        if (all.empty() || run.first > all.back().first + all.back().bytes) {
            all.push_back(run);
            continue;
        }
        ByteRun& last = all.back();
        last.bytes = std::max(last.first + last.bytes, run.first + run.bytes) - last.first;
    }
    return all;
}

}  // namespace

class SparseBytes::Storage {
  public:
    /// Zeros, of which `runs`, in whole pages, are about to be filled.
    explicit Storage(std::size_t bytes, std::vector<ByteRun> runs = {}) : filled(std::move(runs)), bytes_(bytes) {
        if (bytes < least_mapped) {
            at_ = static_cast<std::byte*>(std::calloc(std::max<std::size_t>(bytes, 1), 1));
            if (at_ == nullptr) throw std::bad_alloc();
            return;
        }
        map_zeros();
        for (const ByteRun& run : filled) own_bytes += run.bytes;
        if (own_bytes < least_shared || filled.size() > most_shared_runs) return;
        file_ = memfd_create("lanescope-bytes", MFD_CLOEXEC);
        if (file_ < 0) return;
        if (ftruncate(file_, static_cast<off_t>(bytes)) != 0 || !map_runs(filled, MAP_SHARED, file_))
            close(std::exchange(file_, -1));
    }
    /// The contents of `like`, which shares(): pages are shared with it until they are written to.
    explicit Storage(std::shared_ptr<Storage> like) : filled(like->filled), bytes_(like->bytes_) {
        map_zeros();
        if (!map_runs(filled, MAP_PRIVATE, like->file_)) {
            munmap(at_, bytes_);
            throw std::bad_alloc();
        }
        like_ = std::move(like);
    }
    Storage(const Storage&) = delete;
    Storage& operator=(const Storage&) = delete;
    ~Storage() {
        if (bytes_ < least_mapped)
            std::free(at_);
        else
            munmap(at_, bytes_);
        if (file_ >= 0) close(file_);
    }

    [[nodiscard]] std::byte* at() const { return at_; }
    [[nodiscard]] bool shares() const { return file_ >= 0; }
    [[nodiscard]] bool is_shared() const { return like_ != nullptr; }

    std::vector<ByteRun> filled;  ///< all bytes that may be other than zero
    std::uint64_t own_bytes = 0;  ///< of pages that are not shared

  private:
    /// Maps zeros without a file: reading them takes no memory.
    void map_zeros() {
        void* const mapping =
            mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (mapping == MAP_FAILED) throw std::bad_alloc();
        at_ = static_cast<std::byte*>(mapping);
    }
    bool map_runs(std::span<const ByteRun> runs, int flags, int file) const {
        return std::ranges::all_of(runs, [&](const ByteRun& run) {
            return mmap(at_ + run.first, run.bytes, PROT_READ | PROT_WRITE, flags | MAP_FIXED | MAP_NORESERVE, file,
                        static_cast<off_t>(run.first)) != MAP_FAILED;
        });
    }

    std::byte* at_ = nullptr;
    std::size_t bytes_ = 0;
    int file_ = -1;
    std::shared_ptr<Storage> like_;
};

SparseBytes::SparseBytes(std::size_t zeros) : size_(zeros) {
    if (zeros > 0) storage_ = std::make_shared<Storage>(zeros);
}

SparseBytes::SparseBytes(std::span<const std::byte> bytes) {
    const ByteRun all{0, bytes.size()};
    *this = SparseBytes(bytes, std::span(&all, 1));
}

SparseBytes::SparseBytes(std::span<const std::byte> bytes, std::span<const ByteRun> filled) : size_(bytes.size()) {
    if (bytes.empty()) return;
    std::vector<ByteRun> set;
    for_each_page(united(filled, {}, size_), size_, [&](std::uint64_t at, std::uint64_t count) {
        if (!is_zero(bytes.data() + at, count)) append(set, at, count);
    });
    storage_ = std::make_shared<Storage>(size_, std::move(set));
    for (const ByteRun& run : storage_->filled)
        std::memcpy(storage_->at() + run.first, bytes.data() + run.first, run.bytes);
}

SparseBytes::SparseBytes(const SparseBytes& like, std::span<const std::byte> bytes, std::span<const ByteRun> filled) {
    if (like.size() != bytes.size() || bytes.empty()) {
        *this = SparseBytes(bytes, filled);
        return;
    }
    // Pages that are in neither are zeros in both.
    const std::vector<ByteRun> pages = united(like.filled(), filled, bytes.size());
    const auto differs = [&](std::uint64_t at, std::uint64_t count) {
        return std::memcmp(like.data() + at, bytes.data() + at, count) != 0;
    };
    bool same = true;
    for_each_page(pages, bytes.size(),
                  [&](std::uint64_t at, std::uint64_t count) { same = same && !differs(at, count); });
    if (same) {
        *this = like;
        return;
    }
    if (!like.storage_->shares()) {
        *this = SparseBytes(bytes, pages);
        return;
    }
    size_ = bytes.size();
    storage_ = std::make_shared<Storage>(like.storage_);
    for_each_page(pages, bytes.size(), [&](std::uint64_t at, std::uint64_t count) {
        if (!differs(at, count)) return;
        std::memcpy(storage_->at() + at, bytes.data() + at, count);
        storage_->own_bytes += count;
    });
    storage_->filled = pages;
}

const std::byte* SparseBytes::data() const { return storage_ ? storage_->at() : nullptr; }

std::byte* SparseBytes::writable() {
    if (size_ == 0) return nullptr;
    if (storage_.use_count() > 1 || storage_->is_shared()) *this = SparseBytes(span(), filled());
    storage_->filled = {{0, size_}};
    storage_->own_bytes = size_;
    return storage_->at();
}

void SparseBytes::resize(std::size_t bytes) {
    if (bytes == size_) return;
    SparseBytes other(bytes);
    const std::size_t kept = std::min(size_, bytes);
    if (kept > 0) {
        for_each_page(filled(), kept, [&](std::uint64_t at, std::uint64_t count) {
            std::memcpy(other.storage_->at() + at, data() + at, count);
            append(other.storage_->filled, at, count);
            other.storage_->own_bytes += count;
        });
    }
    *this = std::move(other);
}

const std::vector<ByteRun>& SparseBytes::filled() const {
    static const std::vector<ByteRun> nothing;
    return storage_ ? storage_->filled : nothing;
}

std::uint64_t SparseBytes::memory_bytes() const { return storage_ ? storage_->own_bytes : 0; }

bool operator==(const SparseBytes& a, const SparseBytes& b) {
    if (a.size_ != b.size_) return false;
    if (a.storage_ == b.storage_) return true;
    bool same = true;
    for_each_page(united(a.filled(), b.filled(), a.size_), a.size_, [&](std::uint64_t at, std::uint64_t count) {
        same = same && std::memcmp(a.data() + at, b.data() + at, count) == 0;
    });
    return same;
}

bool any_set(const SparseBytes& bytes) {
    bool any = false;
    for_each_page(bytes.filled(), bytes.size(),
                  [&](std::uint64_t at, std::uint64_t count) { any = any || !is_zero(bytes.data() + at, count); });
    return any;
}

bool operator==(const SparseBytes& a, const std::vector<std::byte>& b) { return std::ranges::equal(a.span(), b); }

}  // namespace lanescope
