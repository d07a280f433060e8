#include "reports/sweep/sample_table.h"

#include <algorithm>

#include "reports/sweep/metric.h"

namespace rv::sweep {
namespace {

std::vector<std::string> fields_of(std::string_view line) {
  std::vector<std::string> fields;
  for (;;) {
    const auto comma = line.find(',');
    fields.emplace_back(line.substr(0, comma));
    if (comma == std::string_view::npos) return fields;
    line.remove_prefix(comma + 1);
  }
}

}  // namespace

SampleTable::SampleTable(std::string_view text) {
  for (auto end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
    auto fields = fields_of(text.substr(0, end));
    text.remove_prefix(end + 1);
    if (columns_.empty()) {
      columns_ = std::move(fields);
    } else {
      rows_.push_back(std::move(fields));
    }
  }
}

std::string SampleTable::text(std::size_t row, std::string_view column) const {
  const auto found = std::find(columns_.begin(), columns_.end(), column);
  const auto place = static_cast<std::size_t>(found - columns_.begin());
  return found == columns_.end() || place >= rows_.at(row).size() ? std::string() : rows_[row][place];
}

std::optional<double> SampleTable::number(std::size_t row, std::string_view column) const {
  return figure_from(text(row, column));
}

std::vector<double> SampleTable::numbers(std::string_view column) const {
  std::vector<double> all;
  for (std::size_t row = 0; row < rows(); ++row) {
    if (const auto value = number(row, column)) all.push_back(*value);
  }
  return all;
}

}  // namespace rv::sweep
