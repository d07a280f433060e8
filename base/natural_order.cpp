#include "base/natural_order.h"

#include <cstddef>

namespace rv {
namespace {

bool digit(char c) {
  return c >= '0' && c <= '9';
}

/// Cuts a run of digits off the front; its leading zeros don't count.
std::string_view cut_number(std::string_view& text) {
  std::size_t end = 0;
  while (end < text.size() && digit(text[end])) ++end;
  std::string_view number = text.substr(0, end);
  text.remove_prefix(end);
  while (number.size() > 1 && number.front() == '0') number.remove_prefix(1);
  return number;
}

}  // namespace

bool NaturalOrder::operator()(std::string_view a, std::string_view b) const {
  std::string_view left = a;
  std::string_view right = b;
  while (!left.empty() && !right.empty()) {
    if (digit(left.front()) && digit(right.front())) {
      const auto first = cut_number(left);
      const auto second = cut_number(right);
      if (first.size() != second.size()) return first.size() < second.size();
      if (first != second) return first < second;
    } else if (left.front() != right.front()) {
      return static_cast<unsigned char>(left.front()) < static_cast<unsigned char>(right.front());
    } else {
      left.remove_prefix(1);
      right.remove_prefix(1);
    }
  }
  if (left.empty() != right.empty()) return left.empty();
  return a < b;
}

}  // namespace rv
