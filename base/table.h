// Plain tables: columns as wide as their widest cell, the last one cut to fit.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace rv {

class Table {
 public:
  enum class Align { left, right };

  void column(std::string title, Align align = Align::left);
  void row(std::vector<std::string> cells);  // as many as columns
  bool empty() const { return rows_.empty(); }

  /// At most `width` columns of text: the widest left-aligned column gives way, cut with "…". Widths count characters
  /// (UTF-8), not bytes. Bold titles when `colour`.
  std::string text(int width, bool colour) const;

 private:
  struct Column {
    std::string title;
    Align align;
  };
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

/// Characters of a UTF-8 text, each taken as one column wide.
std::size_t characters(std::string_view text);

/// The text broken at blanks into lines of at most `width` characters, those after the first indented. No final
/// newline. A single word longer than a line stays whole.
std::string wrapped(std::string_view text, int width, std::size_t indent);

}  // namespace rv
