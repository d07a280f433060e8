// The sampler's files: CSV with a header, a field empty where nothing could be read.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rv::sweep {

class SampleTable {
 public:
  /// A last line without its end was cut off, and is left out.
  explicit SampleTable(std::string_view text);

  const std::vector<std::string>& columns() const { return columns_; }
  std::size_t rows() const { return rows_.size(); }
  /// Empty where there is no such column.
  std::string text(std::size_t row, std::string_view column) const;
  std::optional<double> number(std::size_t row, std::string_view column) const;
  /// All that are there, in order.
  std::vector<double> numbers(std::string_view column) const;

 private:
  std::vector<std::string> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace rv::sweep
