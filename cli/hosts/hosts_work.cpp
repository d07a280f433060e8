#include "cli/hosts/hosts_work.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/border/active_content.h"
#include "base/border/confined_folder.h"
#include "base/error.h"
#include "base/natural_order.h"
#include "base/os/interrupt.h"
#include "base/text.h"
#include "cli/remote/hop/ssh_failure.h"

namespace rv::cli {
namespace {

/// How many of the pages that were not taken are named, one a line.
constexpr std::size_t most_left = 10;

}  // namespace

void HostScript::add(const std::string& name, const std::string& mode, std::string content) {
  files.push_back({name, mode, std::make_shared<const std::string>(std::move(content))});
}

HostsWork::HostsWork(const std::string& word, const std::vector<remote::Host>& hosts, Programs programs,
                     ReportKind kind)
    : word_(word),
      hosts_(hosts),
      programs_(std::move(programs)),
      rests_(hosts_.size()),
      group_(hosts_, programs_.known(), [this, kind](std::size_t i) {
        return remote::HostSession::Sink{
            .kind = kind,
            .output = [this, i](std::string_view text) { print(i, text); },
            .reports = [this, i, kind](const std::vector<remote::Report>& reports) { store(i, kind, reports); }};
      }) {
  for (const auto& host : hosts_) width_ = std::max(width_, host.name.text().size());
}

HostsWork::~HostsWork() {
  try {
    if (!ended_) end();
  } catch (const std::exception& fault) {
    fmt::print(stderr, "rv: the work on the hosts could not be ended: {}\n", one_line(fault.what()));
  }
}

/// Each is replaced whole, in the folder of its node. A page of the host's would run its scripts here, as a local file.
void HostsWork::store(std::size_t host, ReportKind kind, const std::vector<remote::Report>& reports) {
  const auto& name = hosts_[host].name.text();
  const ConfinedFolder folder(reports_ + "/" + name);
  for (const auto& report : reports) {
    if (is_made_here(kind, report.name)) continue;
    if (!has_active_content(report.name.text(), report.content)) {
      folder.replace(report.name, report.content);
    } else if (left_.size() < most_left && left_.insert(name + "/" + report.name.text()).second) {
      fmt::print(stderr, "rv: {}: {} was left on the host: rv does not copy HTML, SVG, XML or PDF from hosts\n", name,
                 one_line(report.name.text()));
    }
  }
}

/// Passes on a host's output by whole lines, each with the host's name before it.
void HostsWork::print(std::size_t host, std::string_view text) {
  auto& rest = rests_[host];
  rest += text;
  for (auto end = rest.find('\n'); end != std::string::npos; end = rest.find('\n')) {
    fmt::print(stderr, "{:<{}}  {}\n", hosts_[host].name.text(), width_, one_line(rest.substr(0, end)));
    rest.erase(0, end + 1);
  }
}

bool HostsWork::served_until(const std::function<bool()>& done) {
  while (!done()) {
    group_.serve();
    if (os::interrupt_waits()) return false;
  }
  return true;
}

void HostsWork::end() {
  ended_ = true;
  os::take_interrupt();  // another one ends the waiting, too
  const auto left = group_.end();
  if (left.empty()) return;
  fmt::print(stderr,
             "rv: {}: can't be reached to end its processes; they end by themselves within 15 s if the host is up\n",
             listed(left));
}

/// All hosts that can't be used are named at once.
void HostsWork::check_reached() const {
  auto troubles = group_.troubles();
  if (troubles.empty()) return;
  std::sort(troubles.begin(), troubles.end(),
            [](const auto& a, const auto& b) { return NaturalOrder()(a.host, b.host); });
  if (troubles.size() == 1 && hosts_.size() == 1) {
    const bool a_file_was_meant = word_ == troubles[0].host;
    throw Error(troubles[0].what,
                a_file_was_meant ? fmt::format("{}; the file {} does not exist either", troubles[0].advice, word_)
                                 : troubles[0].advice,
                ExitCode::connection);
  }
  std::vector<std::string> parts;
  parts.reserve(troubles.size());
  for (const auto& one : troubles) {
    parts.push_back(one.what.find(one.host) == std::string::npos ? one.host + ": " + one.what : one.what);
  }
  throw Error(
      fmt::format("{} of {} can't be used: {}", troubles.size(), counted(static_cast<long long>(hosts_.size()), "host"),
                  fmt::join(parts, "; ")),
      fmt::format("try ssh {} true, which must work without a prompt; nothing was started anywhere", troubles[0].host),
      ExitCode::connection);
}

bool HostsWork::reach() {
  if (!served_until([this] { return group_.all_answered(); })) return false;
  check_reached();
  for (const auto& session : group_.sessions()) remote::check_system(session->facts().system, session->host().name);
  return true;
}

/// Names with what they have in common.
void HostsWork::say_workers() {
  std::vector<std::string> have, get;
  for (const auto& session : group_.sessions()) {
    (session->facts().has_workers ? have : get).push_back(session->host().name);
  }
  if (!have.empty()) fmt::print(stderr, "rv: {}: use the workers in {}\n", listed(have), programs_.folder);
  if (!get.empty()) {
    fmt::print(stderr, "rv: {}: workers copied into a private folder, which is removed at the end\n", listed(get));
  }
}

bool HostsWork::run(const std::string& reports, const std::vector<int>& slots,
                    const std::function<HostScript(const HostPlace&)>& script_of) {
  reports_ = reports;
  say_workers();
  const auto& sessions = group_.sessions();
  const auto address = remote::meeting_address(group_.facts(), sessions.front()->host().name);
  const int port = sessions.front()->facts().free_port;
  for (std::size_t i = 0; i < sessions.size(); ++i) {
    auto& session = *sessions[i];
    const bool has = session.facts().has_workers;
    const HostPlace place{.host = session.host().name,
                          .folder = session.facts().folder,
                          .workers = has ? programs_.folder : session.facts().folder + "/workers",
                          .slots = slots[i]};
    if (!has) {
      for (const auto& [name, bytes] : programs_.files) session.send_file("workers/" + name, "700", bytes);
    }
    for (auto& file : script_of(place).files) session.send_file(file.name, file.mode, std::move(file.content));
    session.start(static_cast<int>(i), static_cast<int>(sessions.size()), address, port, slots[i]);
  }
  const bool served = served_until([this] { return group_.all_ended() || !group_.troubles().empty(); });
  end();
  return served;
}

std::optional<std::string> HostsWork::first_ended_with(int code) {
  for (const auto& session : group_.sessions()) {
    if (session->ended_with() == code) return session->host().name;
  }
  return std::nullopt;
}

int slots_of(std::optional<int> typed, const std::string& device, int without, const remote::HostSession& session) {
  const std::string& name = session.host().name;
  const auto gpus = session.facts().gpus;
  const auto asked = typed ? typed : session.host().slots;
  if (!asked) {
    if (device == "cpu") return without;
    if (!gpus && device == "cuda") {
      throw Error(fmt::format("{} does not report its GPUs: nvidia-smi -L fails there", name),
                  "install the driver there, or give the number: --slots 8", ExitCode::usage);
    }
    return std::max(gpus.value_or(1), 1);
  }
  if (device != "cpu" && gpus && (*gpus > 0 || device == "cuda") && *asked > *gpus) {
    throw Error(fmt::format("{} has {}, but {} were requested", name, counted(*gpus, "GPU"), counted(*asked, "slot")),
                fmt::format("give it as many as it has: {} slots={}", name, *gpus), ExitCode::usage);
  }
  return *asked;
}

}  // namespace rv::cli
