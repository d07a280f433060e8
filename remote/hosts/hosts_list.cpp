#include "remote/hosts/hosts_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "base/did_you_mean.h"
#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/text.h"

namespace rv::remote {
namespace {

constexpr int most_slots = 1024;  // of what the workers take

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
  void add(std::string_view word, const std::string& where) {
    std::optional<int> slots;
    const auto colon = word.rfind(':');
    if (colon != std::string_view::npos) slots = slots_of(word.substr(colon + 1), where);
    const auto target = word.substr(0, colon);
    const auto at = target.find('@');
    const auto name = ListedHost::parse(target.substr(at + 1));  // npos + 1 is 0
    if (!name || (at != std::string_view::npos && !ListedHost::parse(target.substr(0, at)))) {
      throw Error(fmt::format("{}: \"{}\" is no name of a host", where, one_line(word)),
                  "write a host as ssh takes it, h1 or ann@h1; an IPv6 address needs a Host entry in ~/.ssh/config",
                  ExitCode::usage);
    }
    Host host{.target = std::string(target), .name = *name, .slots = slots};
    const auto twin = std::find_if(hosts_.begin(), hosts_.end(), [&](const auto& h) { return h.name == host.name; });
    if (twin != hosts_.end()) {
      const auto& first = places_[static_cast<std::size_t>(twin - hosts_.begin())];
      const bool one_line_for_all = first == where;  // a list on the command line has one place
      throw Error(fmt::format("{}: {} is named twice{}", where, host.name.text(),
                              one_line_for_all ? "" : ", first at " + first),
                  fmt::format("name it once, with the number of its GPUs: {}{}8", host.name.text(),
                              one_line_for_all ? ":" : " slots="),
                  ExitCode::usage);
    }
    hosts_.push_back(std::move(host));
    places_.push_back(where);
  }

  /// "slots=4" beside the last host.
  void add_setting(std::string_view word, const std::string& where) {
    static const std::vector<std::string> keys = {"slots", "max_slots", "max-slots"};
    const auto equals = word.find('=');
    const std::string key(word.substr(0, equals));
    if (equals == std::string_view::npos || !contains(keys, key)) {
      throw Error(fmt::format("{}: \"{}\" is not known here{}", where, one_line(word), suggestion(key, keys)),
                  "a line is: HOST, or HOST slots=N", ExitCode::usage);
    }
    const int number = slots_of(word.substr(equals + 1), where);
    if (key == "slots") hosts_.back().slots = number;
  }

  std::vector<Host> take() { return std::move(hosts_); }

 private:
  static int slots_of(std::string_view text, const std::string& where) {
    int number = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (fault == std::errc() && end == text.data() + text.size() && number >= 1 && number <= most_slots) return number;
    throw Error(fmt::format("{}: \"{}\" is no number of slots", where, one_line(text)),
                fmt::format("slots are the ranks on a host, one a GPU: 1 to {}", most_slots), ExitCode::usage);
  }

  std::vector<Host> hosts_;
  std::vector<std::string> places_;
};

}  // namespace

std::vector<Host> parse_hosts_file(std::string_view text, const std::string& path) {
  Collector collector;
  for (int number = 1; !text.empty(); ++number) {
    const auto end = std::min(text.find('\n'), text.size());
    auto line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    line = line.substr(0, line.find('#'));
    const auto words = words_of(line);
    const auto where = fmt::format("{}:{}", path, number);
    for (std::size_t i = 0; i < words.size(); ++i) {
      i == 0 ? collector.add(words[i], where) : collector.add_setting(words[i], where);
    }
  }
  auto hosts = collector.take();
  if (hosts.empty()) {
    throw Error(fmt::format("{} names no host", path), "write a line for each: HOST, or HOST slots=N", ExitCode::usage);
  }
  return hosts;
}

std::vector<Host> parse_hosts_words(std::string_view text) {
  Collector collector;
  for (std::size_t at = 0; at <= text.size();) {
    const auto end = std::min(text.find(',', at), text.size());
    collector.add(text.substr(at, end - at), "--hosts");
    at = end + 1;
  }
  return collector.take();
}

std::vector<Host> read_hosts(const std::string& word) {
  std::error_code fault;
  if (std::filesystem::exists(word, fault)) {
    if (std::filesystem::is_directory(word, fault)) {
      throw Error(fmt::format("--hosts {}: that is a folder", word), "name a file with a line for each host",
                  ExitCode::usage);
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
    throw Error(fmt::format("--hosts {}: there is no such file", word),
                "name a file with a line for each host, or the hosts themselves: --hosts h1,h2", ExitCode::usage);
  }
  return parse_hosts_words(word);
}

}  // namespace rv::remote
