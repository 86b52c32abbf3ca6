// Banks and Warps in the window: they follow the cursor, and wavefronts can be clicked.
#include "ui/panels/banks.h"
#include "ui/panels/warps.h"
#include "ui/window_test.h"

#include <gmock/gmock.h>

namespace lanescope::ui {
namespace {

class Hardware : public WindowTest {
  protected:
    template <class T>
    static T& panel() {
        for (const std::unique_ptr<Panel>& each : shell().panels()) {
            if (auto* found = dynamic_cast<T*>(each.get())) return *found;
        }
        throw std::logic_error("the window lacks the panel");
    }
    void run(const char* program, const char* block) {
        LaunchValues values;
        values[Field::program] = program;
        values[Field::block] = block;
        values[Field::n] = block;
        model().begin(std::move(values));
        settle();
    }
};

TEST_F(Hardware, BanksShowTheAccessAtTheCursor) {
    run("reduce/strided-index", "256");
    resize(1920, 1080);
    shell().arrange(Arrangement::study);
    frames(5);
    model().seek_pass(4);
    frames(3);
    const analysis::BankPicture* picture = panel<BanksPanel>().picture();
    ASSERT_NE(picture, nullptr);
    EXPECT_EQ(picture->wavefronts.size(), 8U);
    EXPECT_FALSE(panel<BanksPanel>().wavefront().has_value());
    model().home();
    frames(3);
}

TEST_F(Hardware, BanksShowAWholePass) {
    run("reduce/strided-index", "256");
    resize(1920, 1080);
    shell().arrange(Arrangement::study);
    frames(5);
    model().seek_pass(4);
    panel<BanksPanel>().show_pass(true);
    frames(3);
    ASSERT_FALSE(panel<BanksPanel>().heat().rows.empty());
    EXPECT_EQ(std::ranges::max(panel<BanksPanel>().heat().rows.front().degree), 8U);
    panel<BanksPanel>().show_pass(false);
    frames(2);
}

TEST_F(Hardware, BanksSayWhereThereIsNoAccess) {
    resize(1920, 1080);
    shell().arrange(Arrangement::study);
    frames(5);
    model().home();
    frames(3);
    ASSERT_NE(panel<BanksPanel>().picture(), nullptr) << "the load's store to come";
    EXPECT_EQ(panel<BanksPanel>().picture()->kind, trace::EffectKind::store);
}

TEST_F(Hardware, WarpsShowThePassAtTheCursor) {
    run("reduce/interleaved-modulo", "256");
    resize(1920, 1080);
    shell().arrange(Arrangement::study);
    frames(5);
    model().seek_pass(3);
    frames(3);
    const analysis::WarpPicture& picture = panel<WarpsPanel>().picture();
    ASSERT_EQ(picture.rows.size(), 8U);
    EXPECT_EQ(picture.rows[5].useful.count(), 4U);
}

TEST_F(Hardware, WarpsShowTheInstructionsOfTheWarpThatOneFollows) {
    run("reduce/interleaved-modulo", "256");
    resize(1920, 1080);
    shell().arrange(Arrangement::study);
    frames(5);
    model().seek_pass(3);
    panel<WarpsPanel>().show_instructions(true);
    model().choose(WarpId(2), 8);
    frames(3);
    const auto sides = std::ranges::count_if(panel<WarpsPanel>().rows(), [](const analysis::InstructionRow& row) {
        return row.executed == LaneMask(0x0101'0101U);  // tid % 8 == 0
    });
    EXPECT_GE(sides, 1);
    EXPECT_EQ(model().at().followed(), WarpId(2));
    EXPECT_THAT(model().lane(), testing::Optional(Lane{WarpId(2), 8}));
    model().clear_selection();
    EXPECT_FALSE(model().lane().has_value());
    panel<WarpsPanel>().show_instructions(false);
    frames(2);
}

TEST_F(Hardware, InALowWindowTheyStandBehindPasses) {
    resize(1280, 720);
    shell().arrange(Arrangement::study);
    frames(5);
    shell().bring_up("Banks");
    frames(5);
    ASSERT_NE(panel<BanksPanel>().picture(), nullptr);
    shell().bring_up("Passes");
    frames(3);
}

}  // namespace
}  // namespace lanescope::ui
