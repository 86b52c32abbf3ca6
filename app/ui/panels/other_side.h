// A panel of the second program of a comparison: the same panel, drawn for B.
#pragma once

#include "ui/comparing.h"
#include "ui/panel.h"
#include "ui/widgets.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace lanescope::ui {

class OtherSide : public Panel {
  public:
    /// `comparing` must outlive it.
    OtherSide(std::unique_ptr<Panel> panel, Comparing& comparing)
        : panel_(std::move(panel)), comparing_(comparing), title_(panel_->title() + std::string(" B")) {}

    [[nodiscard]] const char* title() const override { return title_.c_str(); }
    [[nodiscard]] bool exists(const Workspace&) const override { return comparing_.running(); }
    [[nodiscard]] std::vector<std::string> subtitle(const Context& context) const override {
        return panel_->subtitle(context_of(context));
    }
    float header(Context& context, float right, float top, float height) override {
        Context other = context_of(context);
        return panel_->header(other, right, top, height);
    }
    void draw(Context& context) override {
        if (comparing_.other()->shown() == nullptr) return note(context.look, "B has not run yet: see Compare.");
        Context other = context_of(context);
        panel_->draw(other);
    }
    [[nodiscard]] const scene::Scene* drawn() const override { return panel_->drawn(); }
    [[nodiscard]] scene::Scene whole_picture(const Workspace&) const override {
        return panel_->whole_picture(*comparing_.other());
    }
    [[nodiscard]] std::string csv(const Workspace&) const override { return panel_->csv(*comparing_.other()); }
    [[nodiscard]] double seconds_until_redraw() const override {
        return comparing_.running() ? panel_->seconds_until_redraw() : 0;
    }
    [[nodiscard]] Panel& panel() { return *panel_; }
    /// The same panel's, for A.
    [[nodiscard]] const char* own_title() const { return panel_->title(); }

  private:
    [[nodiscard]] Context context_of(const Context& context) const {
        return {*comparing_.other(), context.look, context.renderer};
    }

    std::unique_ptr<Panel> panel_;
    Comparing& comparing_;
    std::string title_;
};

}  // namespace lanescope::ui
