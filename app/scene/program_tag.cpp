#include "scene/program_tag.h"

#include "scene/text.h"

#include <string>

namespace lanescope::scene {

void draw_program_tag(Layer& layer, const Box& box, std::size_t program, float em) {
    layer.rects.push_back(rect(box, 4, {role_of_program(program), 1}));
    layer.texts.push_back(
        text_in(box, {Font::words_bold, em, {Role::on_useful, 1}}, std::string(1, letter_of_program(program))));
}

}  // namespace lanescope::scene
