// A checker of the tree's text rules: long lines, headers without a comment, retired words, and files that a document
// names but that do not exist. Text in, violations "path:line: what" out.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::tree {

/// No line is longer, in characters.
inline constexpr std::size_t longest_line = 120;

/// Kernels and their lessons have 100.
inline constexpr std::size_t longest_kernel_line = 100;

/// Rows of a document's tables, and what it quotes word for word, may be longer.
std::vector<std::string> check_line_length(std::string_view path, std::string_view text,
                                           std::size_t longest = longest_line);

/// A header begins with a comment that says which question it answers.
std::vector<std::string> check_file_comment(std::string_view path, std::string_view text);

/// A word that the project no longer uses, and its replacement.
struct Retired {
    std::string_view word;
    std::string_view instead;
};
/// Names that code had, and phrases that strings, comments and documents had.
const std::vector<Retired>& retired_identifiers();
const std::vector<Retired>& retired_phrases();

/// Whole words only: "restless" is no part of "restlessness".
std::vector<std::string> check_words(std::string_view path, std::string_view text, const std::vector<Retired>& retired);

/// Words have American spelling, in names as well: "color", "neighbor", "synchronize". What a document quotes stays as
/// it is: lines that begin with ">" and what is between quotation marks.
std::vector<std::string> check_spelling(std::string_view path, std::string_view text);

/// Every file and folder that a Markdown document names in `code` or as the target of a [link](target) exists.
/// `exists` is asked about a path as it is written; a bare "name.h" too.
std::vector<std::string> check_named_files(std::string_view path, std::string_view text,
                                           const std::function<bool(std::string_view)>& exists);

/// The noun after a number comes from counted() or noun() of base/grouped.h, which know its plural: a format string
/// with "{} blocks", or appended text "blocks", would print "1 blocks". For C++ sources.
std::vector<std::string> check_counted_nouns(std::string_view path, std::string_view text);

/// The text in `code` on each line of a document.
std::vector<std::vector<std::string>> code_by_line(std::string_view text);

}  // namespace lanescope::tree
