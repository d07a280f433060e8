#include "cli/open/ssh_entries.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/os/process.h"
#include "base/quote.h"
#include "base/variable.h"

namespace rv::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string key_path(const std::string& home) {
  return home + "/ssh/id_ed25519";
}

/// A pattern of ssh's Host line that means itself alone.
bool is_host_word(const std::string& name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    return letter || c == '.' || c == '_' || c == '-';
  });
}

/// A value of a configuration line: ssh expands % in it, and takes apart at blanks what has no quotes.
std::string config_value(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) out += c == '%' ? std::string("%%") : std::string(1, c);
  return out + '"';
}

/// ProxyCommand is the rest of its line, for a shell, with % expanded before.
std::string config_command(const std::vector<std::string>& words) {
  std::string out;
  for (const char c : quote_all(words)) out += c == '%' ? std::string("%%") : std::string(1, c);
  return out;
}

std::string first_line(const SshRun& run) {
  return "Host rv-" + run.id;
}

}  // namespace

std::string to_text(const SshRuns& runs) {
  Json list = Json::array();
  for (const auto& run : runs.runs) list.push_back({run.id, run.name});
  return Json{{"user", runs.user}, {"runs", list}}.dump(-1, ' ', true, Json::error_handler_t::replace) + "\n";
}

SshRuns parse_ssh_runs(std::string_view text) {
  try {
    const Json json = Json::parse(text);
    SshRuns runs{.user = json.at("user"), .runs = {}};
    for (const Json& run : json.at("runs")) runs.runs.push_back({run.at(0), run.at(1)});
    return runs;
  } catch (const Json::exception&) {
    throw Error("the login node's answer makes no sense", "does rv ps work?");
  }
}

std::string ssh_config_path(const std::string& home) {
  return home + "/ssh/config";
}

std::string ssh_public_key(const std::string& home) {
  const std::string key = key_path(home);
  if (const auto known = os::read_file(key + ".pub")) return known->substr(0, known->find('\n'));
  os::make_folder(home + "/ssh");
  const auto made = os::run({.argv = {"ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "rv", "-f", key},
                             .input = "",
                             .environment = all_variables(),
                             .folder = ""});
  const auto text = os::read_file(key + ".pub");
  if (!text) throw Error("ssh-keygen makes no key: " + made.err, "is OpenSSH's client installed on this machine?");
  return text->substr(0, text->find('\n'));
}

std::string ssh_config_text(const SshRuns& runs, const SshWay& way) {
  std::string text = "# Written by rv ssh --config; the next one writes it anew.\n";
  std::set<std::string> taken;
  for (const auto& run : runs.runs) {
    text += "\n" + first_line(run);
    if (is_host_word(run.name) && run.name != run.id && taken.insert(run.name).second) text += " rv-" + run.name;
    auto words = way.program;
    words.insert(words.end(), {"ssh", "--stdio", run.id});
    text += fmt::format(
        "\n  ProxyCommand {}\n  User {}\n  IdentityFile {}\n  IdentitiesOnly yes\n  HostKeyAlias {}\n"
        "  UserKnownHostsFile {}\n  StrictHostKeyChecking accept-new\n  LogLevel ERROR\n",
        config_command(words), runs.user, config_value(key_path(way.home)), way.alias,
        config_value(way.home + "/ssh/known_hosts"));
  }
  return text;
}

void forget_ssh_entry(const std::string& home, const std::string& id) {
  const std::string path = ssh_config_path(home);
  auto text = os::read_file(path).value_or("");
  const std::string line = "\n" + first_line({.id = id, .name = ""});
  for (auto at = text.find(line); at != std::string::npos; at = text.find(line, at + 1)) {
    const auto behind = text.find_first_of(" \n", at + line.size());
    if (behind != at + line.size()) continue;  // another ID that begins so
    const auto next = text.find("\n\nHost ", behind);
    text.erase(at, (next == std::string::npos ? text.size() : next + 1) - at);
    os::write_file(path, text);
    return;
  }
}

}  // namespace rv::cli
