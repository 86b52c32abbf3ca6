#include "execute/emulator/shadow.h"

namespace lanescope::execute {

void Shadow::clear() {
    for (std::unique_ptr<Page>& page : pages_) page.reset();
}

/// Makes the page that is not there yet, or divides it.
Shadow::Page& Shadow::fit_page(std::uint64_t offset, bool by_byte) {
    std::unique_ptr<Page>& page = pages_[offset / page_bytes];
    if (!page) {
        page = std::make_unique<Page>();
        page->granule = by_byte ? 1 : word_bytes;
        page->cells.resize(page_bytes / page->granule);
    } else if (by_byte && page->granule != 1) {
        // What held for a word holds for each of its bytes.
        std::vector<ShadowCell> cells(page_bytes);
        for (std::size_t i = 0; i < cells.size(); ++i) cells[i] = page->cells[i / word_bytes];
        page->cells = std::move(cells);
        page->granule = 1;
    }
    return *page;
}

}  // namespace lanescope::execute
