#include "cli/remote/hosts/hosts_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "base/did_you_mean.h"
#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/text.h"
#include "base/wrong_value.h"
#include "shared/number.h"
#include "slurm/parse/field.h"
#include "slurm/parse/hostlist.h"

namespace rv::remote {
namespace {

constexpr int most_slots = 1024;          // of what the workers take
constexpr std::size_t most_hosts = 4096;  // one ssh each

/// The way out for a word that can't be a host, by what it was probably meant to be.
std::string host_advice(std::string_view word) {
  if (std::count(word.begin(), word.end(), ':') > 1) return "an IPv6 address needs a Host entry in ~/.ssh/config";
  if (word.find('{') != std::string_view::npos)
    return "write a range as Slurm does, gpu[01-04], or a line for each host";
  return "write a host as ssh takes it, h1 or ann@h1, or a range of them as Slurm does, gpu[01-04]";
}

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  constexpr std::string_view blanks = " \t\r";
  while (true) {
    line.remove_prefix(std::min(line.find_first_not_of(blanks), line.size()));
    if (line.empty()) return words;
    const auto end = std::min(line.find_first_of(blanks), line.size());
    words.push_back(line.substr(0, end));
    line.remove_prefix(end);
  }
}

/// Collects hosts; `where` is the place of the present one, for messages.
class Collector {
 public:
  /// "h1", "ann@h1:4", "gpu[01-04]", "h1,h2": one word, all of whose hosts get the settings beside it.
  void add(std::string_view word, const std::string& where) {
    line_begin_ = hosts_.size();
    const bool names_some = word.find_first_not_of(',') != std::string_view::npos;
    if (names_some && (word.front() == ',' || word.back() == ',' || word.find(",,") != std::string_view::npos)) {
      no_host("", where);
    }
    for (const auto part : slurm::split_outside_brackets(word, ',')) add_part(part, where);
  }

  /// "slots=4" beside the last word.
  void add_setting(std::string_view word, const std::string& where) {
    static const std::vector<std::string> keys = {"slots", "max_slots", "max-slots"};
    const auto equals = word.find('=');
    const std::string key(word.substr(0, equals));
    if (equals == std::string_view::npos || !contains(keys, key)) {
      throw Error(fmt::format("{}: unexpected \"{}\"{}", where, one_line(word), suggestion(key, keys)),
                  "write HOST or HOST slots=N on each line", ExitCode::usage);
    }
    const int number = slots_of(word.substr(equals + 1), where);
    if (key != "slots") return;
    for (std::size_t i = line_begin_; i < hosts_.size(); ++i) hosts_[i].slots = number;
  }

  std::vector<Host> take() { return std::move(hosts_); }

 private:
  [[noreturn]] static void no_host(std::string_view word, const std::string& where, const std::string& why = "") {
    throw Error(fmt::format("{}: invalid host name \"{}\"{}", where, one_line(word), why), host_advice(word),
                ExitCode::usage);
  }

  void add_part(std::string_view word, const std::string& where) {
    if (std::count(word.begin(), word.end(), ':') > 1) no_host(word, where);
    std::optional<int> slots;
    const auto colon = word.rfind(':');
    if (colon != std::string_view::npos) slots = slots_of(word.substr(colon + 1), where);
    const auto target = word.substr(0, colon);
    const auto at = target.find('@');
    const auto user = at == std::string_view::npos ? std::string_view() : target.substr(0, at + 1);
    const auto names = target.substr(user.size());
    if (!user.empty() && !ListedHost::parse(target.substr(0, at))) no_host(word, where);
    if (names.find_first_of("[]") == std::string_view::npos) return add_host(user, names, slots, where, word);
    const auto range = slurm::read_typed_hosts(names);
    if (!range.fault.empty()) no_host(word, where, " and no range of them: " + one_line(range.fault));
    if (hosts_.size() + range.hosts.size() > most_hosts) {
      throw Error(fmt::format("{}: with \"{}\" the list has more than {} hosts", where, one_line(word), most_hosts),
                  "name fewer hosts", ExitCode::usage);
    }
    for (const auto& name : range.hosts) add_host(user, name, slots, where, word);
  }

  void add_host(std::string_view user, std::string_view text, std::optional<int> slots, const std::string& where,
                std::string_view word) {
    const auto name = ListedHost::parse(text);
    if (!name) no_host(word, where);
    const auto [twin, is_new] = places_.emplace(name->text(), where);
    if (!is_new) {
      const bool one_line_for_all = twin->second == where;  // a list on the command line has one place
      throw Error(fmt::format("{}: {} is named twice{}", where, name->text(),
                              one_line_for_all ? "" : ", first at " + twin->second),
                  fmt::format("name it once, with the number of its GPUs: {}{}8", name->text(),
                              one_line_for_all ? ":" : " slots="),
                  ExitCode::usage);
    }
    hosts_.push_back({.target = std::string(user) + std::string(text), .name = *name, .slots = slots});
  }

  static int slots_of(std::string_view text, const std::string& where) {
    if (const auto number = number_in<int>(text, 1, most_slots)) return *number;
    throw Error(fmt::format("{}: invalid number of slots \"{}\"", where, one_line(text)),
                fmt::format("slots are the ranks on a host, one a GPU: 1 to {}", most_slots), ExitCode::usage);
  }

  std::vector<Host> hosts_;
  std::size_t line_begin_ = 0;
  std::map<std::string, std::string> places_;  // by name
};

/// "slots = 8" as Open MPI takes it: without the blanks around "=".
std::string without_blanks_at_equals(std::string_view line) {
  constexpr std::string_view blanks = " \t";
  std::string out;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const auto next = blanks.find(line[i]) == std::string_view::npos ? i : line.find_first_not_of(blanks, i);
    const bool before = next != std::string_view::npos && next > i && line[next] == '=';
    const bool behind = next != i && out.ends_with('=');
    if (!before && !behind) out += line[i];
  }
  return out;
}

/// Without a byte order mark. Throws Error(usage) for text that is not UTF-8, as editors on Windows save it.
std::string_view plain_text(std::string_view text, const std::string& path) {
  if (text.starts_with("\xef\xbb\xbf")) return text.substr(3);
  if (!text.starts_with("\xff\xfe") && !text.starts_with("\xfe\xff")) return text;
  throw Error(fmt::format("{} is UTF-16 text", path), "write it as UTF-8: iconv -f UTF-16 -t UTF-8 FILE >NEW",
              ExitCode::usage);
}

}  // namespace

std::vector<Host> parse_hosts_file(std::string_view text, const std::string& path) {
  Collector collector;
  text = plain_text(text, path);
  for (int number = 1; !text.empty(); ++number) {
    const auto end = std::min(text.find('\n'), text.size());
    auto line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const auto plain = without_blanks_at_equals(line.substr(0, line.find('#')));
    const auto words = words_of(plain);
    const auto where = fmt::format("{}:{}", path, number);
    for (std::size_t i = 0; i < words.size(); ++i) {
      i == 0 ? collector.add(words[i], where) : collector.add_setting(words[i], where);
    }
  }
  auto hosts = collector.take();
  if (hosts.empty()) {
    throw Error(fmt::format("{} contains no host", path), "write a line for each: HOST, or HOST slots=N",
                ExitCode::usage);
  }
  return hosts;
}

std::vector<Host> parse_hosts_words(std::string_view text) {
  Collector collector;
  collector.add(text, "--hosts");
  auto hosts = collector.take();
  if (hosts.empty()) {
    throw wrong_value("--hosts", text, "at least one host", "name hosts, or a file: --hosts h1,h2");
  }
  return hosts;
}

std::vector<Host> read_hosts(const std::string& word) {
  std::error_code fault;
  if (std::filesystem::exists(word, fault)) {
    if (std::filesystem::is_directory(word, fault)) {
      throw wrong_value("--hosts", word, "a file, not a folder", "name a file with a line for each host");
    }
    try {
      return parse_hosts_file(os::read_file(word).value_or(""), word);
    } catch (const Error& error) {
      if (error.code() == ExitCode::usage) throw;
      throw Error(error.what(), error.advice(), ExitCode::usage);
    }
  }
  const bool like_a_file = word.find('/') != std::string::npos || word.ends_with(".txt") || word.ends_with(".conf");
  if (like_a_file) {
    throw wrong_value("--hosts", word, "an existing file",
                      "name a file with a line for each host, or the hosts themselves: --hosts h1,h2");
  }
  return parse_hosts_words(word);
}

}  // namespace rv::remote
