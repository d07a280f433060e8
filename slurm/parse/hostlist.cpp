#include "slurm/parse/hostlist.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>

#include "base/trimmed.h"
#include "slurm/parse/field.h"

namespace rv::slurm {
namespace {

struct Range {
  std::int64_t first = 0;
  std::int64_t last = 0;
  std::size_t width = 0;

  std::size_t size() const { return static_cast<std::size_t>(last - first) + 1; }
};

/// A piece of a word: plain text, or what stood in brackets.
struct Piece {
  std::string_view text;
  std::vector<Range> ranges;  // empty: plain
};

struct Word {
  std::vector<Piece> pieces;
  std::size_t hosts = 1;  // most_hosts + 1: too many
  std::string fault;
};

std::optional<std::int64_t> digits(std::string_view text) {
  constexpr std::size_t most_digits = 18;  // of any 64-bit number
  const bool only_digits = text.find_first_not_of("0123456789") == std::string_view::npos;
  return only_digits && text.size() <= most_digits ? parse_number(text) : std::nullopt;
}

std::string quoted(std::string_view text) {
  return '"' + std::string(text) + '"';
}

std::string in_brackets(std::string_view part) {
  return part.empty() ? "an empty entry in brackets" : quoted(part) + " in brackets";
}

// "01-03,7"; the fault of a broken one.
std::string read_ranges(std::string_view text, std::vector<Range>& ranges) {
  for (const auto part : split(text, ',')) {
    const auto dash = part.find('-');
    const auto first = digits(part.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : digits(part.substr(dash + 1));
    if (!first || !last) return in_brackets(part) + " is neither a number nor a range of numbers";
    if (*last < *first) return "the range " + quoted(part) + " ends before it begins";
    ranges.push_back({*first, *last, part.substr(0, dash).size()});
  }
  return {};
}

std::size_t times(std::size_t hosts, const std::vector<Range>& ranges) {
  constexpr std::size_t too_many = most_hosts + 1;
  std::size_t sum = 0;
  for (const auto& range : ranges) sum = std::min(too_many, sum + std::min(too_many, range.size()));
  return std::min(too_many, hosts * sum);
}

Word read_word(std::string_view word) {
  Word read;
  while (!word.empty()) {
    const auto open = word.find_first_of("[]");
    if (open != 0) read.pieces.push_back({word.substr(0, open), {}});
    if (open == std::string_view::npos) break;
    const auto close = word.find(']', open);
    if (word[open] == ']' || close == std::string_view::npos) {
      read.fault = word[open] == ']' ? "a ']' has no matching '['" : "a '[' has no matching ']'";
      return read;
    }
    Piece piece{word.substr(open + 1, close - open - 1), {}};
    read.fault = read_ranges(piece.text, piece.ranges);
    if (!read.fault.empty()) return read;
    read.hosts = times(read.hosts, piece.ranges);
    read.pieces.push_back(std::move(piece));
    word.remove_prefix(close + 1);
  }
  return read;
}

std::string padded(std::int64_t number, std::size_t width) {
  auto text = std::to_string(number);
  if (text.size() < width) text.insert(0, width - text.size(), '0');
  return text;
}

void expand(const std::vector<Piece>& pieces, std::vector<std::string>& hosts) {
  std::vector<std::string> heads{""};
  for (const auto& piece : pieces) {
    std::vector<std::string> longer;
    for (const auto& head : heads) {
      if (piece.ranges.empty()) longer.push_back(head + std::string(piece.text));
      for (const auto& range : piece.ranges) {
        for (auto number = range.first; number <= range.last; ++number) {
          longer.push_back(head + padded(number, range.width));
        }
      }
    }
    heads = std::move(longer);
  }
  hosts.insert(hosts.end(), std::make_move_iterator(heads.begin()), std::make_move_iterator(heads.end()));
}

bool fits(const Word& word, std::size_t hosts) {
  return word.fault.empty() && hosts + word.hosts <= most_hosts;
}

}  // namespace

std::vector<std::string> expand_hostlist(std::string_view list) {
  std::vector<std::string> hosts;
  if (is_nothing(list)) return hosts;
  for (const auto text : split_outside_brackets(list, ',')) {
    const auto word = read_word(text);
    if (fits(word, hosts.size())) {
      expand(word.pieces, hosts);
    } else {
      hosts.emplace_back(text);
    }
  }
  return hosts;
}

TypedHosts read_typed_hosts(std::string_view list) {
  TypedHosts typed;
  for (const auto part : split_outside_brackets(list, ',')) {
    const auto text = trimmed(part);
    if (text.empty()) continue;
    const auto word = read_word(text);
    if (!word.fault.empty()) {
      typed.fault = quoted(text) + ": " + word.fault;
    } else if (text.find_first_of(" \t") != std::string_view::npos) {
      typed.fault = quoted(text) + ": a host name can't contain a space";
    } else if (!fits(word, typed.hosts.size())) {
      typed.fault = quoted(text) + " exceeds the maximum of " + std::to_string(most_hosts) + " hosts";
    }
    if (!typed.fault.empty()) return {{}, typed.fault};
    expand(word.pieces, typed.hosts);
  }
  if (typed.hosts.empty()) typed.fault = quoted(list) + " contains no host";
  return typed;
}

}  // namespace rv::slurm
