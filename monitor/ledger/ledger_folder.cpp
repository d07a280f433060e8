#include "monitor/ledger/ledger_folder.h"

#include <unistd.h>

#include <optional>
#include <set>
#include <utility>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/os/listing.h"
#include "base/os/random_bytes.h"
#include "monitor/ledger/numbered_files.h"
#include "shared/number.h"
#include "shared/time_text.h"

namespace rv::monitor {
namespace {

Entry parsed(const std::optional<std::string>& text, const std::string& path) {
  auto entry = text ? parse_entry(*text) : std::nullopt;
  if (!entry) {
    throw Error("the record " + path + " is not valid",
                "it was written by another version of rv, or the file system shows only a part of it: try again");
  }
  return *entry;
}

std::string host() {
  char name[256] = {};
  return ::gethostname(name, sizeof name - 1) == 0 ? std::string(name) : std::string("-");
}

void add_entries(const std::string& folder, const std::string& prefix, const std::vector<std::string>& texts,
                 std::vector<Entry>& known) {
  const std::string start = folder + "/" + prefix;
  for (const auto& text : texts) {
    const int number = static_cast<int>(known.size()) + 1;
    known.push_back(parsed(text, start + std::to_string(number)));
    known.back().number = number;
  }
}

/// Entries are named `prefix` and their number.
bool append(const std::string& folder, const std::string& prefix, std::vector<Entry>& known, Entry entry) {
  if (entry.time == TimePoint{}) entry.time = current_time();
  if (entry.node == "-") entry.node = host();
  if (entry.token == "-") entry.token = os::random_hex(8);
  const std::size_t place = known.size();
  add_entries(folder, prefix, append_text(folder, prefix, place, entry.token, to_line(entry)), known);
  return known[place].token == entry.token;
}

}  // namespace

void read_ledger(const std::string& folder, std::vector<Entry>& known) {
  add_entries(folder, "", texts_after(folder, "", known.size()), known);
}

std::vector<Entry> read_ledger(const std::string& folder) {
  std::vector<Entry> entries;
  read_ledger(folder, entries);
  return entries;
}

bool append_entry(const std::string& folder, std::vector<Entry>& known, Entry entry) {
  return append(folder, "", known, std::move(entry));
}

bool append_element_entry(const std::string& folder, int index, std::vector<Entry>& known, Entry entry) {
  return append(folder, std::to_string(index) + ".", known, std::move(entry));
}

void read_element_ledgers(const std::string& folder, ElementLedgers& known) {
  std::map<int, std::set<int>> listed;
  for (const auto& name : os::names_in(folder)) {
    const auto dot = name.find('.');
    if (dot == std::string::npos) continue;
    const auto index = number_in<int>(std::string_view(name).substr(0, dot), 0);
    const auto number = number_in<int>(std::string_view(name).substr(dot + 1), 0);
    if (index && number) listed[*index].insert(*number);
  }
  for (const auto& [index, numbers] : listed) {
    auto& entries = known[index];
    while (numbers.contains(static_cast<int>(entries.size()) + 1)) {
      const int number = static_cast<int>(entries.size()) + 1;
      const std::string path = folder + "/" + std::to_string(index) + "." + std::to_string(number);
      entries.push_back(parsed(os::read_file(path), path));
      entries.back().number = number;
    }
  }
}

}  // namespace rv::monitor
