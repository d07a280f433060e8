#include "base/table.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <optional>

#include "base/terminal_text.h"

namespace rv {

namespace {

constexpr std::size_t gap = 2;
constexpr std::size_t least_left_over = 4;  // a column is not cut below this

bool starts_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
}

/// Control characters would break the table or reach into the terminal.
std::string plain(std::string text) {
  if (!has_control_character(text)) return text;
  std::string out;
  for (std::string_view left = text; !left.empty();) {
    const auto [bytes, code] = take_character(left);
    out += is_control(code) ? " " : bytes;
  }
  return out;
}

}  // namespace

std::size_t characters(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), starts_character));
}

std::string shortened(const std::string& text, std::size_t most) {
  if (characters(text) <= most) return text;
  std::size_t seen = 0;
  std::size_t end = 0;
  for (; end < text.size(); ++end) {
    if (starts_character(text[end]) && seen++ == most - 1) break;
  }
  return text.substr(0, end) + "…";
}

void Table::column(std::string title, Align align, Cut cut) {
  assert(rows_.empty());
  columns_.push_back({std::move(title), align, cut});
}

void Table::row(std::vector<std::string> cells) {
  assert(cells.size() == columns_.size());
  auto& row = rows_.emplace_back();
  row.reserve(cells.size());
  for (std::string& cell : cells) row.push_back({plain(std::move(cell)), Tone::plain});
}

std::vector<std::size_t> Table::widths(std::size_t available) const {
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    // At least 1: 0 stands for a column that is left out.
    std::size_t widest = std::max<std::size_t>(1, characters(columns_[i].title));
    for (const auto& row : rows_) widest = std::max(widest, characters(row[i].text));
    widths.push_back(widest);
  }
  const auto kept = [&](std::size_t i) { return i == 0 || columns_[i].kept(); };
  auto fitted = widths;
  // The widest column that may be cut gives way, one character at a time, until the table fits or nothing can give.
  for (;;) {
    std::size_t total = 0;
    std::optional<std::size_t> widest;
    for (std::size_t i = 0; i < fitted.size(); ++i) {
      if (fitted[i] == 0) continue;
      total += fitted[i] + (total > 0 ? gap : 0);
      const auto& column = columns_[i];
      const auto least = std::max(least_left_over, column.least);
      const bool can_give = column.align == Align::left && column.cut == Cut::may && fitted[i] > least;
      if (can_give && (!widest || fitted[i] >= fitted[*widest])) widest = i;
    }
    if (total <= available) break;
    if (widest) {
      --fitted[*widest];
      continue;
    }
    auto last = widths.size();
    for (auto i = widths.size(); i-- > 1;) {
      if (widths[i] > 0 && (last == widths.size() || (kept(last) && !kept(i)))) last = i;
    }
    if (last == widths.size()) break;
    widths[last] = 0;
    fitted = widths;
  }
  return fitted;
}

std::string Table::text(int width, bool colour) const {
  const auto widths = this->widths(static_cast<std::size_t>(std::max(width, 1)));
  std::size_t shown_last = 0;
  for (std::size_t i = 0; i < widths.size(); ++i) shown_last = widths[i] > 0 ? i : shown_last;
  std::string out;
  const auto line = [&](const auto& cell_of) {
    std::string made;
    for (std::size_t i = 0; i < widths.size(); ++i) {
      if (widths[i] == 0) continue;
      const Cell whole = cell_of(i);
      const std::string cell = shortened(whole.text, widths[i]);
      const bool last = i == shown_last;
      const std::string pad(last && columns_[i].align == Align::left ? 0 : widths[i] - characters(cell), ' ');
      if (i > 0) made.append(gap, ' ');
      const std::string shown = coloured(cell, cell.empty() ? Tone::plain : whole.tone, colour);
      made += columns_[i].align == Align::right ? pad + shown : shown + pad;
    }
    made.erase(made.find_last_not_of(' ') + 1);
    return made;
  };
  const std::string titles = line([&](std::size_t i) { return Cell{columns_[i].title, Tone::plain}; });
  out += colour ? "\033[1m" + titles + "\033[0m\n" : titles + "\n";
  for (const auto& row : rows_) out += line([&](std::size_t i) { return row[i]; }) + "\n";
  return out;
}

std::string wrapped(std::string_view text, int width, std::size_t indent) {
  const auto room = static_cast<std::size_t>(std::max(width, 1));
  std::string out;
  std::size_t used = 0;
  bool fresh = true;  // nothing but the indent stands on this line
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string_view word = text.substr(begin, end - begin);
    const std::size_t length = characters(word);
    if (!fresh && used + 1 + length > room) {
      out += "\n" + std::string(indent, ' ');
      used = indent;
    } else if (begin > 0) {
      out += ' ';
      ++used;
    }
    out += word;
    used += length;
    fresh = false;
    begin = end + 1;
  }
  return out;
}

}  // namespace rv
