// Names that Slurm's database keeps in lower case: TRES, QOS, accounts, users and clusters.
#pragma once

#include <algorithm>
#include <compare>
#include <concepts>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rv::planner {

/// A name as it was typed, compared as slurmdbd does: letter case does not count (sacctmgr(1)). slurm.conf,
/// gres.conf, squeue and people keep what they typed, so "gres/gpu:NVIDIA_H100" and "gres/gpu:nvidia_h100" are one.
/// Plain text is not comparable with it: the comparison would miss the other spelling.
class DatabaseName {
 public:
  DatabaseName() = default;
  DatabaseName(std::string text) : text_(std::move(text)) {}
  DatabaseName(std::string_view text) : text_(text) {}
  DatabaseName(const char* text) : text_(text) {}

  /// As it was written.
  const std::string& text() const { return text_; }
  /// In lower case, for hashing and for keys that hold several names.
  std::string key() const {
    std::string out = text_;
    for (char& c : out) c = lower(c);
    return out;
  }
  bool empty() const { return text_.empty(); }

  bool starts_with(std::string_view prefix) const {
    return text_.size() >= prefix.size() && compare(std::string_view(text_).substr(0, prefix.size()), prefix) == 0;
  }
  /// The part from the place on: the type in "gres/gpu:a100".
  DatabaseName substr(std::size_t from) const { return std::string_view(text_).substr(from); }

  friend bool operator==(const DatabaseName& one, const DatabaseName& other) {
    return one.text_.size() == other.text_.size() && compare(one.text_, other.text_) == 0;
  }
  friend std::strong_ordering operator<=>(const DatabaseName& one, const DatabaseName& other) {
    return compare(one.text_, other.text_) <=> 0;
  }
  template <typename Text>
  requires std::convertible_to<Text, std::string_view>
  friend bool operator==(const DatabaseName&, const Text&) = delete;
  template <typename Text>
  requires std::convertible_to<Text, std::string_view>
  friend auto operator<=>(const DatabaseName&, const Text&) = delete;

 private:
  static char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
  static int compare(std::string_view one, std::string_view other) {
    const std::size_t common = std::min(one.size(), other.size());
    for (std::size_t i = 0; i < common; ++i) {
      const auto a = static_cast<unsigned char>(lower(one[i]));
      const auto b = static_cast<unsigned char>(lower(other[i]));
      if (a != b) return a < b ? -1 : 1;
    }
    return one.size() == other.size() ? 0 : one.size() < other.size() ? -1 : 1;
  }

  std::string text_;
};

/// The spellings, for a list in a message.
template <typename Names>
std::vector<std::string> texts_of(const Names& names) {
  std::vector<std::string> texts;
  texts.reserve(names.size());
  for (const DatabaseName& name : names) texts.push_back(name.text());
  return texts;
}

}  // namespace rv::planner

template <>
struct std::hash<rv::planner::DatabaseName> {
  std::size_t operator()(const rv::planner::DatabaseName& name) const { return std::hash<std::string>()(name.key()); }
};
