// Text tables. A column is as wide as its widest cell, and is cut if the table is too wide.
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
  enum class Cut { may, never };  // never: for values that users type again, such as IDs

  void column(std::string title, Align align = Align::left, Cut cut = Cut::may);
  void row(std::vector<std::string> cells);  // one per column
  /// Sets a minimum width. The column is never cut below it, and is left out only after the columns without a minimum.
  void at_least(std::size_t column, std::size_t width) { columns_[column].least = width; }
  /// Sets the tone of the last row's cell in this column.
  void tone(std::size_t column, Tone tone) { rows_.back()[column].tone = tone; }
  bool empty() const { return rows_.empty(); }

  /// Returns the table in lines of at most `width` characters (UTF-8). If it is too wide, the widest left-aligned
  /// column is cut, marked by "…". If that is not enough, the last columns are left out: first those that may be cut,
  /// and never the first column. With `colour` titles are bold and tones are shown.
  std::string text(int width, bool colour) const;

 private:
  struct Column {
    std::string title;
    Align align;
    Cut cut;
    std::size_t least = 0;
    bool kept() const { return cut == Cut::never || least > 0; }
  };
  /// Returns the width of each column; 0: the column is left out.
  std::vector<std::size_t> widths(std::size_t available) const;
  std::vector<Column> columns_;
  struct Cell {
    std::string text;
    Tone tone = Tone::plain;
  };
  std::vector<std::vector<Cell>> rows_;
};

/// Returns the number of characters of a UTF-8 text. Each counts as one column wide.
std::size_t characters(std::string_view text);

/// Returns at most `most` characters of the text. If it was longer, the last one is "…".
std::string shortened(const std::string& text, std::size_t most);

/// Returns the text, broken at blanks into lines of at most `width` characters, all but the first indented, without a
/// final newline. A word longer than a line is not broken.
std::string wrapped(std::string_view text, int width, std::size_t indent);

}  // namespace rv
