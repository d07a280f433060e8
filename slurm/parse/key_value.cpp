#include "slurm/parse/key_value.h"

#include <algorithm>
#include <string>

#include "slurm/parse/record_keys.h"

namespace rv::slurm {
namespace {

bool is_key_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == ':' || c == '/';
}

/// Where the word that starts at `at` has its "=", or npos when it has none.
std::size_t end_of_word(std::string_view line, std::size_t at) {
  std::size_t end = at;
  while (end < line.size() && is_key_character(line[end])) ++end;
  return end > at && end < line.size() && line[end] == '=' ? end : std::string_view::npos;
}

/// A place in the record that may be a key.
struct Candidate {
  std::size_t begin = 0;
  std::size_t equals = 0;
  std::size_t rank = 0;  // of its key in Slurm's order
  KeyText text = KeyText::word;
  // The best reading that ends with this key: how many keys it has, how many values that are not free text with blanks
  // in them, and the key before.
  int keys = 0;
  int odd_values = 0;
  std::size_t before = 0;
};

std::vector<Candidate> candidates_of(std::string_view record, std::span<const RecordKey> known) {
  std::vector<Candidate> found;
  const auto* expected = known.data();  // behind the last key
  const auto* const end = known.data() + known.size();
  for (std::size_t at = 0; at < record.size();) {
    if (const std::size_t equals = end_of_word(record, at); equals != std::string_view::npos) {
      const auto name = record.substr(at, equals - at);
      const auto is_it = [&](const RecordKey& one) { return one.name == name; };
      const auto* key = std::find_if(expected, end, is_it);
      if (key == end && (key = std::find_if(known.data(), expected, is_it)) == expected) key = end;
      if (key != end) {
        found.push_back({at, equals, static_cast<std::size_t>(key - known.data()), key->text});
        expected = key + 1;
      }
    }
    const std::size_t blank = record.find(' ', at);
    at = blank == std::string_view::npos ? record.size() : blank + 1;
  }
  return found;
}

std::string_view without_blanks_behind(std::string_view value) {
  while (value.ends_with(' ') || value.ends_with('\n')) value.remove_suffix(1);
  return value;
}

std::string_view text_between(std::string_view record, const Candidate& key, std::size_t end) {
  return without_blanks_behind(record.substr(key.equals + 1, end - key.equals - 1));
}

bool is_odd(std::string_view record, const Candidate& key, std::size_t end) {
  return key.text == KeyText::word && text_between(record, key, end).find(' ') != std::string_view::npos;
}

/// Where another key may begin: behind the stamp, for a text that has one.
bool may_end(std::string_view record, const Candidate& key, std::size_t end) {
  return key.text != KeyText::stamped || text_between(record, key, end).find(']') != std::string_view::npos;
}

bool is_plain(std::string_view record, const std::vector<Candidate>& all) {
  for (std::size_t i = 1; i < all.size(); ++i) {
    if (all[i].rank <= all[i - 1].rank || !may_end(record, all[i - 1], all[i].begin)) return false;
  }
  return true;
}

/// Finds the best reading up to each candidate; returns the number of the last key of the best of all.
std::size_t rate_readings(std::string_view record, std::vector<Candidate>& all) {
  std::size_t last = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    Candidate& one = all[i];
    one.keys = i == 0 ? 1 : 0;  // a record begins with its first key
    for (std::size_t before = 0; before < i; ++before) {
      const Candidate& other = all[before];
      if (other.keys == 0 || other.rank >= one.rank || !may_end(record, other, one.begin)) continue;
      const int odd_values = other.odd_values + (is_odd(record, other, one.begin) ? 1 : 0);
      if (other.keys + 1 < one.keys || (other.keys + 1 == one.keys && odd_values >= one.odd_values)) continue;
      one.keys = other.keys + 1;
      one.odd_values = odd_values;
      one.before = before;
    }
    if (std::pair(one.keys, -one.odd_values) > std::pair(all[last].keys, -all[last].odd_values)) last = i;
  }
  return last;
}

/// The longest sequence of keys in Slurm's order: their numbers, the last one first.
std::vector<std::size_t> best_reading(std::string_view record, std::vector<Candidate>& all) {
  std::size_t last = all.size() - 1;
  if (is_plain(record, all)) {
    for (std::size_t i = 1; i <= last; ++i) all[i].before = i - 1;
  } else {
    last = rate_readings(record, all);
  }
  std::vector<std::size_t> reading{last};
  while (reading.back() != 0) reading.push_back(all[reading.back()].before);
  return reading;
}

/// Where a key begins that is not in its place: of a later release, or in another order than Slurm's.
std::size_t next_key(std::string_view value) {
  std::size_t blank = value.find(' ');
  while (blank != std::string_view::npos && end_of_word(value, blank + 1) == std::string_view::npos) {
    blank = value.find(' ', blank + 1);
  }
  return blank;
}

}  // namespace

KeyValues::KeyValues(std::string_view record) {
  std::vector<Candidate> all = candidates_of(record, record_keys(record));
  if (all.empty()) return;
  std::vector<std::string_view> misplaced;
  std::size_t end = record.size();
  for (const std::size_t number : best_reading(record, all)) {
    const Candidate& key = all[number];
    auto value = text_between(record, key, end);
    if (key.text == KeyText::word) {
      // A value that is a word ends there, and what stands behind it is found, too.
      if (const std::size_t blank = next_key(value); blank != std::string_view::npos) {
        misplaced.push_back(value.substr(blank + 1));
        value = without_blanks_behind(value.substr(0, blank));
      }
    }
    pairs_.emplace_back(record.substr(key.begin, key.equals - key.begin), value);
    end = key.begin;
  }
  for (std::string_view rest : misplaced) {
    while (!rest.empty()) {
      const std::size_t blank = next_key(rest);
      const auto word = rest.substr(0, blank);
      const std::size_t equals = word.find('=');
      pairs_.emplace_back(word.substr(0, equals), without_blanks_behind(word.substr(equals + 1)));
      rest.remove_prefix(blank == std::string_view::npos ? rest.size() : blank + 1);
    }
  }
}

std::string_view KeyValues::operator[](std::string_view key) const {
  const auto found = std::find_if(pairs_.begin(), pairs_.end(), [&](const auto& pair) { return pair.first == key; });
  return found == pairs_.end() ? std::string_view() : found->second;
}

std::string_view next_record(std::string_view& text, std::string_view first_key) {
  while (!text.empty() && !text.starts_with(first_key)) {
    const auto newline = text.find('\n');
    text.remove_prefix(newline == std::string_view::npos ? text.size() : newline + 1);
  }
  const auto next = text.find("\n" + std::string(first_key));
  const auto record = text.substr(0, next);
  text.remove_prefix(next == std::string_view::npos ? text.size() : next + 1);
  return record;
}

}  // namespace rv::slurm
