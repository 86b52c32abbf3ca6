#include "base/result.h"

namespace lanescope {

std::string Problem::message() const {
    std::string text;
    if (!where.file.empty()) text += where.file + ":";
    if (where.line != 0) text += std::to_string(where.line) + ":";
    if (where.column != 0) text += std::to_string(where.column) + ":";
    if (!text.empty()) text += " ";
    text += what;
    if (!remedy.empty()) text += ". " + remedy;
    return text;
}

}  // namespace lanescope
