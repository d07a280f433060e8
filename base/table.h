// Plain tables: columns as wide as their widest cell, cut to fit.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/tone.h"

namespace rv {

class Table {
 public:
  enum class Align { left, right };
  enum class Cut { may, never };  // never: what is typed again, as an ID

  void column(std::string title, Align align = Align::left, Cut cut = Cut::may);
  void row(std::vector<std::string> cells);  // as many as columns
  /// The column is never cut below `width` characters, and left out only after those without such a width.
  void at_least(std::size_t column, std::size_t width) { columns_[column].least = width; }
  /// Of the last row's cell in this column.
  void tone(std::size_t column, Tone tone) { rows_.back()[column].tone = tone; }
  bool empty() const { return rows_.empty(); }

  /// At most `width` columns of text: the widest left-aligned column gives way, cut with "…"; where that is not enough,
  /// the last columns are left out, those that must not be cut after the others, the first never. Widths count
  /// characters (UTF-8), not bytes. Bold titles and tones when `colour`.
  std::string text(int width, bool colour) const;

 private:
  struct Column {
    std::string title;
    Align align;
    Cut cut;
    std::size_t least = 0;
    bool kept() const { return cut == Cut::never || least > 0; }
  };
  /// By column; 0: it is left out.
  std::vector<std::size_t> widths(std::size_t room) const;
  std::vector<Column> columns_;
  struct Cell {
    std::string text;
    Tone tone = Tone::plain;
  };
  std::vector<std::vector<Cell>> rows_;
};

/// Characters of a UTF-8 text, each taken as one column wide.
std::size_t characters(std::string_view text);

/// At most `most` characters of the text, the last one "…" where it was longer.
std::string shortened(const std::string& text, std::size_t most);

/// The text broken at blanks into lines of at most `width` characters, those after the first indented. No final
/// newline. A single word longer than a line stays whole.
std::string wrapped(std::string_view text, int width, std::size_t indent);

}  // namespace rv
