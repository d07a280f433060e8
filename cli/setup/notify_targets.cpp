#include "cli/setup/notify_targets.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/os/random_bytes.h"
#include "base/wrong_value.h"
#include "cli/options/option_values.h"

namespace rv::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 4> known_events = {"started", "segment", "stalled", "ended"};

[[noreturn]] void refuse(const std::string& message, const std::string& advice) {
  throw Error(message, advice, ExitCode::usage);
}

bool is_name(std::string_view name) {
  constexpr std::string_view allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
  return !name.empty() && name.size() <= 40 && name.find_first_not_of(allowed) == std::string_view::npos;
}

void check_webhook(const std::string& to) {
  if (to.starts_with("https://")) return;
  // The address may contain a secret, so the message does not repeat it.
  refuse("--webhook: expected an https:// address", "events go over TLS only: --webhook https://example.org/rv");
}

/// It stands in a mail's head and behind mail's options.
void check_mail(const std::string& to) {
  const bool mail_like =
      to.find('@') != std::string::npos && to.front() != '-' && to.find_first_of(" \t,;<>\"") == std::string::npos;
  if (!mail_like) throw wrong_value("--mail", to, "a mail address", "write it like --mail ann@example.org");
}

constexpr std::array kinds{
    NotifyKind{.name = "mail",
               .takes = "ADDRESS",
               .summary = "send a mail to this address",
               .example = "--mail ADDRESS",
               .check = check_mail},
    NotifyKind{.name = "webhook",
               .takes = "URL",
               .summary = "send an HTTPS POST to this address, signed with HMAC-SHA256; -: prompt for the address, or "
                          "read it from stdin",
               .example = "--webhook -",
               .check = check_webhook},
    NotifyKind{.name = "command",
               .takes = "LINE",
               .summary = "run this shell command on the node, with the event as JSON on its stdin",
               .example = "--command LINE",
               .check = [](const std::string&) {}},
};

constexpr std::array<std::string_view, 4> services = {"slack", "teams", "discord", "ntfy"};

/// Where the services receive messages, as their documents give the addresses (docs/notify.md).
struct ServiceHost {
  std::string_view host;  // and each host below it
  std::string_view service;
};
constexpr std::array service_hosts{
    ServiceHost{"hooks.slack.com", "slack"},       ServiceHost{"hooks.slack-gov.com", "slack"},
    ServiceHost{"webhook.office.com", "teams"},    ServiceHost{"logic.azure.com", "teams"},
    ServiceHost{"api.powerplatform.com", "teams"}, ServiceHost{"api.powerautomate.com", "teams"},
    ServiceHost{"flow.microsoft.com", "teams"},    ServiceHost{"discord.com", "discord"},
    ServiceHost{"discordapp.com", "discord"},      ServiceHost{"ntfy.sh", "ntfy"},
};

void check(const NotifyTarget& target) {
  if (!is_name(target.name)) {
    refuse(fmt::format("\"{}\" can't be a target's name", target.name), "use letters, digits, - and _, 40 at most");
  }
  if (target.to.find_first_of("\n\r") != std::string::npos || target.to.empty()) {
    refuse("a target is a single line of text", "see rv notify --help");
  }
  for (const auto& kind : kinds) {
    if (target.kind == kind.name) kind.check(target.to);
  }
  if (!target.as.empty() && std::find(services.begin(), services.end(), target.as) == services.end()) {
    throw wrong_value(
        "--as", target.as, "a service",
        fmt::format("the services are {}; without --as a webhook gets rv's JSON", fmt::join(services, ", ")));
  }
}

std::string line_of(const std::string& path) {
  auto text = os::read_file(path).value_or("");
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

}  // namespace

std::span<const NotifyKind> notify_kinds() {
  return kinds;
}

std::string notify_folder(const std::string& home) {
  return home + "/notify";
}

std::vector<NotifyTarget> notify_targets(const std::string& home) {
  std::vector<NotifyTarget> targets;
  std::error_code fault;
  for (const auto& entry : fs::directory_iterator(notify_folder(home) + "/targets", fault)) {
    const std::string path = entry.path().string();
    NotifyTarget target{.name = entry.path().filename().string(),
                        .kind = line_of(path + "/kind"),
                        .to = line_of(path + "/to"),
                        .on = line_of(path + "/on"),
                        .as = line_of(path + "/as"),
                        .ca = line_of(path + "/ca")};
    if (is_name(target.name) && !target.kind.empty()) targets.push_back(std::move(target));
  }
  std::sort(targets.begin(), targets.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return targets;
}

void set_notify_target(const std::string& home, const NotifyTarget& target) {
  check(target);
  const std::string folder = notify_folder(home);
  const std::string path = folder + "/targets/" + target.name;
  remove_notify_target(home, target.name);
  os::make_folder(path);
  if (target.kind == "webhook" && !os::read_file(folder + "/secret")) {
    os::write_file(folder + "/secret", os::random_hex(32) + "\n");
  }
  os::write_file(path + "/to", target.to + "\n");
  os::write_file(path + "/kind", target.kind + "\n");
  if (!target.as.empty()) os::write_file(path + "/as", target.as + "\n");
  if (!target.ca.empty()) os::write_file(path + "/ca", target.ca + "\n");
  os::write_file(path + "/on", target.on + "\n");  // last: without it a job passes the target over
}

std::span<const std::string_view> webhook_services() {
  return services;
}

std::string_view service_of(std::string_view url) {
  constexpr std::string_view scheme = "https://";
  if (!url.starts_with(scheme)) return {};
  auto host = url.substr(scheme.size());
  host = host.substr(0, host.find_first_of("/?#"));
  if (const auto user = host.rfind('@'); user != std::string_view::npos) host.remove_prefix(user + 1);
  host = host.substr(0, host.find(':'));
  for (const auto& known : service_hosts) {
    if (!host.ends_with(known.host)) continue;
    if (host.size() == known.host.size() || host[host.size() - known.host.size() - 1] == '.') return known.service;
  }
  return {};
}

bool may_hold_secret(std::string_view url) {
  constexpr std::size_t token = 20;
  if (service_of(url) == "ntfy") return true;
  const auto scheme = url.find("://");
  if (scheme != std::string_view::npos) url.remove_prefix(scheme + 3);
  if (url.find_first_of("?#") != std::string_view::npos) return true;
  const auto path = std::min(url.find('/'), url.size());
  if (url.substr(0, path).find('@') != std::string_view::npos) return true;
  for (url.remove_prefix(path); !url.empty();) {
    url.remove_prefix(1);
    const auto end = std::min(url.find('/'), url.size());
    if (end >= token) return true;
    url.remove_prefix(end);
  }
  return false;
}

bool remove_notify_target(const std::string& home, const std::string& name) {
  if (!is_name(name)) return false;
  return fs::remove_all(notify_folder(home) + "/targets/" + name) > 0;
}

std::string notify_events(const std::string& option, const std::string& text) {
  if (text == "none") return text;
  std::string events;
  for (const auto& word : list_value(option, text)) {
    if (std::find(known_events.begin(), known_events.end(), word) == known_events.end()) {
      throw wrong_value(option, word, "an event",
                        fmt::format("the events are {}, and none", fmt::join(known_events, ", ")));
    }
    events += (events.empty() ? "" : ",") + word;
  }
  return events;
}

NotifyChoice notify_choice(const std::string& home, const std::string& when) {
  const auto on = when.empty() ? "" : notify_events("--notify", when);
  if (on == "none") return {};
  if (notify_targets(home).empty()) {
    if (on.empty()) return {};
    refuse("--notify needs a target", "rv notify set me --mail YOUR@ADDRESS adds a target");
  }
  return {notify_folder(home), on};
}

}  // namespace rv::cli
