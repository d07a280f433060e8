#include "cli/top/screen.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/terminal_text.h"
#include "base/tone.h"

namespace rv::cli::top {
namespace {

bool between(char32_t code, char32_t first, char32_t last) {
  return code >= first && code <= last;
}

int width_of(char32_t code) {
  if (between(code, 0x300, 0x36F) || between(code, 0x200B, 0x200F) || between(code, 0xFE00, 0xFE0F)) return 0;
  constexpr std::array<std::pair<char32_t, char32_t>, 8> wide{{{0x1100, 0x115F},
                                                               {0x2E80, 0xA4CF},
                                                               {0xAC00, 0xD7A3},
                                                               {0xF900, 0xFAFF},
                                                               {0xFE30, 0xFE6F},
                                                               {0xFF00, 0xFF60},
                                                               {0x1F300, 0x1FAFF},
                                                               {0x20000, 0x3FFFD}}};
  const bool is_wide = std::any_of(wide.begin(), wide.end(),
                                   [&](const auto& range) { return between(code, range.first, range.second); });
  return is_wide ? 2 : 1;
}

Tone tone_of(Style style) {
  switch (style) {
    case Style::dim:
      return Tone::quiet;
    case Style::good:
      return Tone::good;
    case Style::waiting:
      return Tone::waiting;
    case Style::bad:
      return Tone::bad;
    default:
      return Tone::plain;
  }
}

std::string sgr(Style style, bool colour) {
  std::string codes = "0";
  if (style == Style::title || style == Style::key || style == Style::bad) codes += ";1";
  if (style == Style::selected) codes += ";7";
  const auto tone = colour_code(tone_of(style));
  return colour && !tone.empty() ? codes + ";" + std::string(tone) : codes;
}

}  // namespace

Screen::Screen(int width, int height)
    : width_(std::max(1, width)),
      height_(std::max(1, height)),
      rows_(static_cast<std::size_t>(height_), std::vector<Cell>(static_cast<std::size_t>(width_))) {}

int Screen::put(int row, int column, std::string_view text, Style style, int end) {
  end = end < 0 ? width_ : std::min(end, width_);
  if (row < 0 || row >= height_ || column < 0) return column;
  auto& cells = rows_[static_cast<std::size_t>(row)];
  while (!text.empty()) {
    const auto [bytes, code] = take_character(text);
    const int columns = is_control(code) ? 1 : width_of(code);
    if (columns == 0) continue;
    if (column + columns > end) break;
    cells[static_cast<std::size_t>(column)] = {is_control(code) ? " " : std::string(bytes), style};
    if (columns == 2) cells[static_cast<std::size_t>(column) + 1] = {"", style};
    column += columns;
  }
  return column;
}

void Screen::put_right(int row, int end, std::string_view text, Style style) {
  put(row, std::max(0, end - top::columns_of(text)), text, style, end);
}

void Screen::paint(int row, Style style) {
  if (row < 0 || row >= height_) return;
  for (auto& cell : rows_[static_cast<std::size_t>(row)]) cell.style = style;
}

std::string Screen::text() const {
  std::string out;
  for (const auto& row : rows_) {
    std::string line;
    for (const auto& cell : row) line += cell.text;
    line.erase(line.find_last_not_of(' ') + 1);
    out += line;
    out += '\n';
  }
  return out;
}

std::string Screen::row_ansi(const std::vector<Cell>& row, bool colour) const {
  std::string out;
  Style style = Style::plain;
  auto last = row.size();
  while (last > 0 && row[last - 1] == Cell()) --last;
  for (std::size_t i = 0; i < last; ++i) {
    if (row[i].style != style) out += fmt::format("\x1b[{}m", sgr(style = row[i].style, colour));
    out += row[i].text;
  }
  if (style != Style::plain) out += "\x1b[0m";
  // In the last column the cursor waits on its last character, which this would take away.
  if (last < row.size()) out += "\x1b[K";
  return out;
}

std::string Screen::ansi(const Screen* before, bool colour) const {
  const bool fresh = before == nullptr || before->width_ != width_ || before->height_ != height_;
  std::string out = fresh ? "\x1b[0m\x1b[2J" : "";
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (!fresh && before->rows_[i] == rows_[i]) continue;
    out += fmt::format("\x1b[{};1H", i + 1) + row_ansi(rows_[i], colour);
  }
  return out;
}

int columns_of(std::string_view text) {
  int columns = 0;
  while (!text.empty()) {
    const auto character = take_character(text);
    columns += is_control(character.code) ? 1 : width_of(character.code);
  }
  return columns;
}

std::string fitted(std::string_view text, int width, bool utf8) {
  if (columns_of(text) <= width) return std::string(text);
  const std::string_view mark = utf8 ? "…" : "..";
  int left = width - (utf8 ? 1 : 2);
  std::string out;
  while (!text.empty() && left > 0) {
    const auto [bytes, code] = take_character(text);
    left -= width_of(code);
    if (left >= 0) out += bytes;
  }
  return width < 3 ? std::string(std::max(0, width), '.') : out + std::string(mark);
}

std::string bar(double part, int width, bool utf8) {
  const double filled = std::clamp(part, 0.0, 1.0) * width;
  const int whole = static_cast<int>(filled);
  std::string out;
  for (int i = 0; i < width; ++i) {
    const bool half = i == whole && filled - whole >= 0.5;
    out += i < whole ? (utf8 ? "█" : "#") : half ? (utf8 ? "▌" : "+") : utf8 ? "·" : ".";
  }
  return out;
}

std::string sparkline(const std::vector<double>& values, int width, bool utf8) {
  static constexpr std::array<const char*, 8> steps{"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  static constexpr std::string_view ascii = "_.-:=+*#";
  const auto shown = std::min(values.size(), static_cast<std::size_t>(std::max(0, width)));
  std::string out;
  for (auto value = values.end() - static_cast<std::ptrdiff_t>(shown); value != values.end(); ++value) {
    const auto step = static_cast<std::size_t>(std::lround(std::clamp(*value, 0.0, 1.0) * 7));
    out += utf8 ? std::string(steps.at(step)) : std::string(1, ascii[step]);
  }
  return out;
}

}  // namespace rv::cli::top
