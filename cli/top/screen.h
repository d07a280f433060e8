// The content of a terminal as a value: rows of cells, and the bytes that draw them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rv::cli::top {

/// The meaning of a cell's colour; the colours are those of base/tone.h.
enum class Style : std::uint8_t { plain, title, dim, good, waiting, bad, selected, key };

struct Cell {
  std::string text = " ";  // one character; empty behind one that is two columns wide
  Style style = Style::plain;

  bool operator==(const Cell&) const = default;
};

class Screen {
 public:
  Screen(int width, int height);

  int width() const { return width_; }
  int height() const { return height_; }

  /// Writes what fits, at most up to column `end` (-1: the screen's). Control characters become blanks, combining marks
  /// are left out. Returns the column behind it.
  int put(int row, int column, std::string_view text, Style style = Style::plain, int end = -1);
  /// Right-aligned in front of column `end`.
  void put_right(int row, int end, std::string_view text, Style style = Style::plain);
  /// The style of a whole row.
  void paint(int row, Style style);

  /// One line a row, without trailing blanks.
  std::string text() const;

  /// Escape sequences that make a terminal show this; `before`: what it shows now (another size, or none: all is
  /// drawn). Unchanged rows are not drawn again, so that a slow connection carries only changes.
  std::string ansi(const Screen* before, bool colour) const;

 private:
  std::string row_ansi(const std::vector<Cell>& row, bool colour) const;

  int width_;
  int height_;
  std::vector<std::vector<Cell>> rows_;
};

/// Columns that a text takes on a terminal.
int columns_of(std::string_view text);

/// The text in at most `width` columns, cut with "…" (".." without UTF-8).
std::string fitted(std::string_view text, int width, bool utf8);

/// A part of 1 as a bar, "████▌    " or "####.    ".
std::string bar(double part, int width, bool utf8);

/// Values of 0 to 1, the newest at the right, "▁▂▅█"; as many as fit.
std::string sparkline(const std::vector<double>& values, int width, bool utf8);

}  // namespace rv::cli::top
