#include "monitor/ledger/ledger_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <optional>
#include <set>
#include <thread>
#include <utility>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/os/listing.h"
#include "base/os/random_bytes.h"
#include "shared/number.h"
#include "shared/time_text.h"

namespace rv::monitor {
namespace {

using namespace std::chrono_literals;

// A listing that does not show yet what link(2) says is there: longer than any attribute cache lasts.
constexpr auto longest_lag = 90s;

Entry read_entry(const std::string& path) {
  const auto text = os::read_file(path);
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

bool is_mine(const std::vector<Entry>& entries, std::size_t place, const Entry& entry) {
  return entries.size() > place && entries[place].token == entry.token;
}

/// Entries are named `prefix` and their number.
void read_entries(const std::string& folder, const std::string& prefix, std::vector<Entry>& known) {
  std::set<int> listed;
  for (const auto& name : os::names_in(folder)) {
    if (!name.starts_with(prefix)) continue;
    if (const auto number = number_in<int>(std::string_view(name).substr(prefix.size()), 0)) listed.insert(*number);
  }
  const std::string start = folder + "/" + prefix;
  while (listed.contains(static_cast<int>(known.size()) + 1)) {
    const int number = static_cast<int>(known.size()) + 1;
    known.push_back(read_entry(start + std::to_string(number)));
    known.back().number = number;
  }
}

bool append(const std::string& folder, const std::string& prefix, std::vector<Entry>& known, Entry entry) {
  if (entry.time == TimePoint{}) entry.time = current_time();
  if (entry.node == "-") entry.node = host();
  if (entry.token == "-") entry.token = os::random_hex(8);
  const std::size_t place = known.size();
  const std::string temporary = folder + "/." + entry.token;
  const std::string name = folder + "/" + prefix + std::to_string(place + 1);
  os::write_new_file(temporary, to_line(entry));
  const bool linked = ::link(temporary.c_str(), name.c_str()) == 0;
  const int reason = errno;
  ::unlink(temporary.c_str());
  // Over a network a link that was made can be reported as failed, so what the entry says decides.
  const auto until = std::chrono::steady_clock::now() + longest_lag;
  while (true) {
    read_entries(folder, prefix, known);
    if (known.size() > place && !is_mine(known, place, entry)) return false;
    if (known.size() > place) {
      // Nobody goes by what a machine without power could forget.
      os::store_names(folder);
      return true;
    }
    if (!linked && reason != EEXIST) {
      throw Error("can't create the record " + name + ": " + std::strerror(reason),
                  reason == ENOSPC || reason == EDQUOT
                      ? "free some space there, or set RV_HOME to a folder with room"
                      : "RV_HOME must be on a file system with hard links, where you can write");
    }
    if (std::chrono::steady_clock::now() > until) {
      throw Error("the record " + name + " exists but can't be read", "try again in a minute");
    }
    std::this_thread::sleep_for(200ms);
  }
}

}  // namespace

void read_ledger(const std::string& folder, std::vector<Entry>& known) {
  read_entries(folder, "", known);
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
      entries.push_back(read_entry(folder + "/" + std::to_string(index) + "." + std::to_string(number)));
      entries.back().number = number;
    }
  }
}

}  // namespace rv::monitor
