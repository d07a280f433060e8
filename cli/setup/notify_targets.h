// Who receives a run's events: $RV_HOME/notify, read by the jobs themselves (templates/notify/notify.inc.sh).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rv::cli {

/// A way to send a message. The jobs send it with rv_send_by_NAME of templates/notify/notify.inc.sh.
struct NotifyKind {
  const char* name;                      // "mail"; its option is --mail
  const char* takes;                     // "ADDRESS"
  const char* summary;                   // of the option
  const char* example;                   // "--mail ADDRESS"
  void (*check)(const std::string& to);  // throws Error(usage); text of several lines has been rejected before
};

std::span<const NotifyKind> notify_kinds();

struct NotifyTarget {
  std::string name;  // letters, digits, "-" and "_"
  std::string kind;  // the name of a NotifyKind
  std::string to;    // address, URL or shell line
  std::string on;    // "started,ended"
  std::string as;    // of a webhook: the service whose messages it takes, one of webhook_services(); empty: rv's JSON
  std::string ca;    // file with the authority that a webhook's certificate is checked against; empty: the system's
};

/// $RV_HOME/notify.
std::string notify_folder(const std::string& home);

/// By name. None when nothing is set.
std::vector<NotifyTarget> notify_targets(const std::string& home);

/// Replaces a target of the same name whole. The first webhook makes the secret. Throws Error(usage) for a bad name,
/// address, URL or event.
void set_notify_target(const std::string& home, const NotifyTarget& target);

/// A webhook's address with a user or a password, a query, or a part of its path as long as a token, or a topic of
/// ntfy: anyone who knows it can post there.
bool may_hold_secret(std::string_view url);

/// "slack", "teams", …: each has its form of a message in rv_webhook_body of templates/notify/notify.inc.sh.
std::span<const std::string_view> webhook_services();

/// The service that a webhook's address belongs to by its host; empty if rv does not know it.
std::string_view service_of(std::string_view url);

/// False when nothing has that name.
bool remove_notify_target(const std::string& home, const std::string& name);

/// "started, ended" → "started,ended"; "none" stays. Throws Error(usage) for other words.
std::string notify_events(const std::string& option, const std::string& text);

/// The values for a new run's scripts.
struct NotifyChoice {
  std::string folder;  // empty: no messages are sent
  std::string on;      // empty: as set for each target
};

/// `when`: the value of --notify, or empty. Throws Error(usage) if it asks for messages and there is no target.
NotifyChoice notify_choice(const std::string& home, const std::string& when);

}  // namespace rv::cli
