#include "ui/schedule_finder.h"

#include <utility>

namespace lanescope::ui {

void ScheduleFinder::start(std::shared_ptr<const session::Run> run, std::size_t race) {
    stop();
    run_ = std::move(run);
    race_ = race;
    said_.clear();
    schedule_.reset();
    task_ = std::make_unique<Task>();
    task_->thread = std::jthread([task = task_.get(), run = run_, race] {
        const auto search = session::search_schedule(*run, race, session::usual_tries, task->progress);
        if (!search) {
            task->said = search.error().message();
        } else {
            task->said = session::text_of(*search);
            if (search->found && !search->found->open) task->schedule = search->found->schedule;
        }
        task->ended.store(true, std::memory_order_release);
    });
}

void ScheduleFinder::stop() {
    if (task_) task_->progress.cancel();
    task_.reset();  // joins
}

void ScheduleFinder::cancel() {
    if (task_) task_->progress.cancel();
}

void ScheduleFinder::keep_to(const std::shared_ptr<const session::Run>& run) {
    if (run == run_) return;
    stop();
    run_.reset();
    race_.reset();
    said_.clear();
    schedule_.reset();
}

bool ScheduleFinder::poll() {
    if (!task_ || !task_->ended.load(std::memory_order_acquire)) return false;
    said_ = std::move(task_->said);
    schedule_ = std::move(task_->schedule);
    task_.reset();
    return true;
}

}  // namespace lanescope::ui
