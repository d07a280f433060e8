#include "planner/slurm_words/release.h"

#include <charconv>

namespace rv::planner {

int release_of(std::string_view version) {
  int year = 0;
  int month = 0;
  const char* end = version.data() + version.size();
  const auto [dot, fault] = std::from_chars(version.data(), end, year);
  if (fault != std::errc() || dot == end || *dot != '.' || year < 0 || year > 99) return 0;
  std::from_chars(dot + 1, end, month);
  return month < 0 || month > 12 ? 0 : year * 100 + month;
}

}  // namespace rv::planner
