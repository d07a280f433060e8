// rv notify: who receives a message when a run starts, continues or ends.

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/documents/parse_document.h"
#include "base/error.h"
#include "base/os/process.h"
#include "base/table.h"
#include "base/text.h"
#include "cli/commands/commands.h"
#include "cli/json/values_json.h"
#include "cli/options/command_option.h"
#include "cli/setup/ask.h"
#include "cli/setup/notify_targets.h"
#include "cli/views/run_table.h"
#include "monitor/run/journal_events.h"
#include "slurm/environment.h"
#include "templates/job_script.h"

namespace rv::cli {
namespace {

struct NotifyOptions {
  std::string action = "list";
  std::string name;
  std::map<std::string, std::string> to;  // by the name of each kind; empty: not that way
  std::string on = "started,stalled,ended";
  std::string as;
  std::string ca;
};

constexpr const char* from_stdin = "-";

[[noreturn]] void refuse(const std::string& message, const std::string& advice) {
  throw Error(message, advice, ExitCode::usage);
}

/// "--mail ADDRESS, --webhook - or --command LINE"
std::string kinds_of_target() {
  std::vector<std::string> kinds;
  for (const auto& kind : notify_kinds()) kinds.emplace_back(kind.example);
  const auto last = kinds.back();
  kinds.pop_back();
  return listed(kinds) + " or " + last;
}

/// Before anything else, and without repeating it: ssh's arguments would show it as well.
void check_words(const NotifyOptions& options) {
  const auto& webhook = options.to.at("webhook");
  if (webhook == from_stdin || !(may_hold_secret(webhook) || (!webhook.empty() && options.as == "ntfy"))) return;
  refuse(
      "--webhook: the address may contain a secret, and a command line is visible to every user of the "
      "machine",
      "write --webhook -: rv then prompts for the address or reads it from stdin; replace a secret that was on a "
      "command "
      "line");
}

std::string webhook_address(const NotifyOptions& options, const os::Terminal& terminal) {
  const auto& webhook = options.to.at("webhook");
  if (webhook != from_stdin) return webhook;
  std::string address = secret_line("Address of the webhook", terminal);
  if (address.empty())
    refuse("--webhook -: the address is empty", "write one line to stdin, such as https://example.org/rv");
  return address;
}

NotifyTarget target_of(const NotifyOptions& options, const os::Terminal& terminal) {
  NotifyTarget target{
      .name = options.name, .kind = "", .to = "", .on = notify_events("--on", options.on), .as = options.as, .ca = ""};
  for (const auto& [kind, to] : options.to) {
    if (to.empty()) continue;
    if (!target.kind.empty())
      refuse(fmt::format("--{} and --{} can't be combined", target.kind, kind), "set two targets");
    target.kind = kind;
    target.to = to;
  }
  if (target.kind.empty()) {
    refuse("rv notify set needs an address", "add " + kinds_of_target());
  }
  if (target.kind == "webhook") {
    target.to = webhook_address(options, terminal);
    if (target.as.empty()) target.as = service_of(target.to);
  } else if (!target.as.empty()) {
    refuse("--as is the form of a webhook's messages", fmt::format("leave it out for --{}", target.kind));
  }
  if (!options.ca.empty()) target.ca = std::filesystem::absolute(options.ca).string();
  return target;
}

int set_target(const NotifyOptions& options, const Invocation& invocation) {
  const auto& settings = invocation.settings;
  const auto target = target_of(options, invocation.terminal);
  set_notify_target(settings.home, target);
  fmt::print(stderr, "rv: target {} receives the events {}{}\n", target.name, target.on,
             target.as.empty() ? "" : fmt::format(" ({} format)", target.as));
  // The services check no signature.
  if (target.kind == "webhook" && target.as.empty()) {
    fmt::print(stderr, "rv: the key for its signatures is in {}/secret\n", notify_folder(settings.home));
  }
  return 0;
}

int list_targets(const Settings& settings, const Invocation& invocation) {
  const auto targets = notify_targets(settings.home);
  if (invocation.json) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const auto& target : targets) {
      list.push_back({{"name", target.name},
                      {"kind", target.kind},
                      {"to", target.to},
                      {"on", target.on},
                      {"as", target.as.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(target.as)},
                      {"ca", target.ca.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(target.ca)}});
    }
    fmt::print("{}", json_text({{"targets", list}}));
    return 0;
  }
  Table table;
  for (const auto* title : {"NAME", "KIND", "ON", "TO"}) table.column(title);
  for (const auto& target : targets) {
    table.row({target.name, target.as.empty() ? target.kind : one_line(target.as), target.on, one_line(target.to)});
  }
  if (targets.empty()) {
    fmt::print(stderr, "rv: no targets are set; add one with rv notify set me --mail YOUR@ADDRESS\n");
  } else {
    fmt::print("{}", table.text(invocation.terminal.table_width(), invocation.terminal.colour));
  }
  return 0;
}

[[noreturn]] void refuse_unknown(const std::string& target) {
  refuse(fmt::format("unknown target \"{}\"", one_line(target)), "rv notify list lists the targets");
}

/// Parses the script's line for each target, which has the form of those in a run's folder.
std::vector<nlohmann::json> results_of(const std::string& lines) {
  std::vector<nlohmann::json> results;
  std::istringstream rest(lines);
  for (std::string line; std::getline(rest, line);) {
    auto one = parse_json_or_discard<nlohmann::json>(line);
    if (one.is_object()) results.push_back(std::move(one));
  }
  return results;
}

int test_targets(const NotifyOptions& options, const Invocation& invocation) {
  const auto& settings = invocation.settings;
  const auto result = os::run({.argv = {"bash", "-s"},
                               .input = templates::render_notify_test(notify_folder(settings.home), options.name),
                               .deadline = std::chrono::minutes(2),
                               .environment = slurm::submit_environment(),
                               .folder = ""});
  const auto results = results_of(result.out);
  if (results.empty() && options.name.empty())
    refuse("no notification target is set", "add one: rv notify set me --mail ADDRESS");
  if (results.empty()) refuse_unknown(options.name);
  bool all = result.ok();
  auto list = nlohmann::ordered_json::array();
  for (const auto& one : results) {
    const bool well = one.value("event", "") == to_string(monitor::EventKind::notified);
    const auto name = one.value("target", std::string());
    const auto why = one.value("why", std::string());
    all = all && well;
    list.push_back(
        {{"name", name}, {"sent", well}, {"why", well ? nlohmann::ordered_json() : nlohmann::ordered_json(why)}});
    if (!invocation.json)
      fmt::print("{}\n", well ? name + " was notified" : name + " could not be notified: " + one_line(why));
  }
  if (invocation.json) fmt::print("{}", json_text({{"targets", list}}));
  if (!all) {
    throw Error("some targets could not be notified", "see the reasons above; jobs send messages in the same way");
  }
  return 0;
}

int act(const NotifyOptions& options, const Invocation& invocation) {
  const auto& settings = invocation.settings;
  if (options.action == "list") return list_targets(settings, invocation);
  if (options.action == "test") return test_targets(options, invocation);
  if (options.action == "set") return set_target(options, invocation);
  if (options.action == "rm") {
    if (!remove_notify_target(settings.home, options.name)) {
      refuse_unknown(options.name);
    }
    return 0;
  }
  refuse(fmt::format("rv notify: unknown action \"{}\"", options.action), "the actions are set, list, rm and test");
}

void add_notify(CLI::App& command, const Invocation& invocation, Action& action) {
  auto options = std::make_shared<NotifyOptions>();
  add_option(command, "action", options->action, "set, list (the default), rm or test").type_name("set|list|rm|test");
  add_option(command, "name", options->name, "the target's name");
  for (const auto& kind : notify_kinds()) {
    add_option(command, std::string("--") + kind.name, options->to[kind.name], kind.summary).type_name(kind.takes);
  }
  add_option(command, "--on", options->on, "events: started, segment, stalled, ended (default: started,stalled,ended)")
      .type_name("WHEN");
  add_option(command, "--as", options->as,
             fmt::format("the webhook's service: {} (default: recognised by the address; otherwise rv's own JSON)",
                         fmt::join(webhook_services(), ", ")))
      .type_name("SERVICE");
  add_option(command, "--ca", options->ca, "check the webhook's certificate against this authority").type_name("FILE");
  set_footer(command,
             "Examples:\n"
             "  rv notify set me --mail ann@example.org\n"
             "  rv notify set bot --webhook - --on ended       prompt for the address, which may contain a secret\n"
             "  rv notify set phone --webhook - --as ntfy      a topic on your own ntfy server\n"
             "  rv notify test bot");
  set_callback(command, [=, &invocation, &action] {
    check_words(*options);
    action = [=, &invocation] { return act(*options, invocation); };
  });
}

}  // namespace

extern const Command notify_command{
    .name = "notify",
    .summary = "Send a message when a run starts, ends a segment, stalls or ends",
    .group = groups::other,
    .add = add_notify,
};

}  // namespace rv::cli
