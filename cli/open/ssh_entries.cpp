#include "cli/open/ssh_entries.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <set>

#include "base/documents/parse_document.h"
#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/os/process.h"
#include "base/variable.h"
#include "cli/open/ssh_config_value.h"
#include "shared/documents/json_dump.h"

namespace rv::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string key_path(const std::string& home) {
  return home + "/ssh/id_ed25519";
}

/// Escapes a name so that as a pattern of ssh's Host line it matches only itself.
bool is_host_word(const std::string& name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    return letter || c == '.' || c == '_' || c == '-';
  });
}

constexpr std::string_view comment = "# Written by rv ssh --config, which overwrites this file.";

std::string entry(const SshRun& run, const SshRuns& runs, const SshRoute& way) {
  auto argv = way.program;
  argv.insert(argv.end(), {"ssh", "--stdio", run.id.text()});
  return ssh_config_line("ProxyCommand", SshConfigValue::command(argv)) + ssh_config_line("User", runs.user) +
         ssh_config_line("IdentityFile", SshConfigValue::quoted(key_path(way.home))) +
         ssh_config_line("IdentitiesOnly", SshConfigValue::word("yes")) +
         ssh_config_line("HostKeyAlias", SshConfigValue::quoted(way.alias)) +
         ssh_config_line("UserKnownHostsFile", SshConfigValue::quoted(way.home + "/ssh/known_hosts")) +
         ssh_config_line("StrictHostKeyChecking", SshConfigValue::word("accept-new")) +
         ssh_config_line("LogLevel", SshConfigValue::word("ERROR"));
}

/// Whether the line begins like a line that rv writes.
bool is_own_line(std::string_view line) {
  constexpr std::array keywords{"Host rv-",
                                "  ProxyCommand ",
                                "  User ",
                                "  IdentityFile ",
                                "  IdentitiesOnly yes",
                                "  HostKeyAlias ",
                                "  UserKnownHostsFile ",
                                "  StrictHostKeyChecking ",
                                "  LogLevel "};
  return line.empty() || line == comment ||
         std::any_of(keywords.begin(), keywords.end(), [&](const char* word) { return line.starts_with(word); });
}

bool only_own_lines(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (!is_own_line(text.substr(0, end))) return false;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return true;
}

}  // namespace

std::string to_text(const SshRuns& runs) {
  Json list = Json::array();
  for (const auto& run : runs.runs) list.push_back({run.id.text(), run.name.text()});
  return ascii_json_dump(Json{{"user", runs.user.text()}, {"runs", list}}) + "\n";
}

SshRuns parse_ssh_runs(std::string_view text) {
  try {
    const Json json = parse_json<Json>(text, "the login node's answer");
    SshRuns runs{.user = UserName(json.at("user").get<std::string>()), .runs = {}};
    for (const Json& run : json.at("runs")) {
      runs.runs.push_back({RunId(run.at(0).get<std::string>()), RunName(run.at(1).get<std::string>())});
    }
    return runs;
  } catch (const Json::exception&) {
    throw Error("the login node's answer is not valid", "check that rv ps works");
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
  if (!text)
    throw Error("ssh-keygen can't create a key: " + made.err,
                "check that OpenSSH's client is installed on this machine");
  return text->substr(0, text->find('\n'));
}

std::vector<std::vector<std::string>> ssh_hosts(const SshRuns& runs) {
  // A name that is another run's ID would lead to the wrong run.
  std::set<std::string> taken;
  for (const auto& run : runs.runs) taken.insert(run.id.text());
  std::vector<std::vector<std::string>> hosts;
  hosts.reserve(runs.runs.size());
  for (const auto& run : runs.runs) {
    hosts.push_back({"rv-" + run.id.text()});
    const std::string& name = run.name.text();
    if (is_host_word(name) && taken.insert(name).second) hosts.back().push_back("rv-" + name);
  }
  return hosts;
}

std::string ssh_config_text(const SshRuns& runs, const SshRoute& way) {
  std::string text = std::string(comment) + "\n";
  const auto hosts = ssh_hosts(runs);
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    text += fmt::format("\nHost {}\n{}", fmt::join(hosts[i], " "), entry(runs.runs[i], runs, way));
  }
  return text;
}

void forget_ssh_entry(const std::string& home, const std::string& id) {
  const std::string path = ssh_config_path(home);
  auto text = os::read_file(path).value_or("");
  if (!only_own_lines(text)) return;
  const std::string line = "\nHost rv-" + id;
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
