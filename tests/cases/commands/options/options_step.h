// The step that options_program.cu adds, found by -I.
constexpr int step = 5;
