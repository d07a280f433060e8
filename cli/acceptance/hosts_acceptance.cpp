#include "cli/acceptance/hosts_acceptance.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "base/error.h"
#include "base/natural_order.h"
#include "base/os/atomic_file.h"
#include "base/os/interrupt.h"
#include "base/os/process.h"
#include "base/sha256.h"
#include "base/text.h"
#include "base/variable.h"
#include "cli/acceptance/acceptance_folder.h"
#include "cli/acceptance/io_order.h"
#include "cli/acceptance/workers_folder.h"
#include "cli/acceptance/write_verdict.h"
#include "cli/views/accept_view.h"
#include "remote/hop/ssh_failure.h"
#include "remote/hosts/host_group.h"

namespace rv::cli {
namespace {

namespace fs = std::filesystem;
using remote::HostGroup;

void refuse_together(const AcceptOptions& options) {
  const auto& request = *options.request;
  const auto refuse = [](bool given, const std::string& option, const std::string& advice) {
    if (given) throw Error("--hosts and " + option + " don't go together", advice, ExitCode::usage);
  };
  refuse(options.local, "--local", "--hosts h1 is one host, --local this one");
  refuse(options.detach, "--detach", "the work ends with its connections: run rv in tmux, or under nohup");
  refuse(!options.container.empty(), "--container",
         "install the workers on the hosts, or let rv copy them: see --workers");
  refuse(request.gpus.has_value(), "--gpu", "say how many there are on each host: --slots 8");
  refuse(request.nodes.has_value() || !request.nodelist.empty(), "--nodes or --nodelist",
         "name the hosts in the file, or --hosts h1,h2");
  refuse(!request.partitions.empty(), "--partition", "partitions are Slurm's: leave out --hosts to go through it");
  refuse(options.slots && options.gpus_per_node, "both --slots and --gpus-per-node", "they say the same: give --slots");
}

/// The programs that go to hosts which do not have them, read once.
struct Programs {
  std::string folder;
  std::vector<std::pair<std::string, remote::HostSession::Bytes>> files;

  remote::KnownWorkers known() const {
    remote::KnownWorkers known{.folder = folder, .sums = {}};
    for (const auto& [name, bytes] : files) known.sums.push_back(fmt::format("{}  {}", sha256_hex(*bytes), name));
    return known;
  }
};

Programs read_programs(const std::string& folder, const std::vector<std::string>& workers) {
  Programs programs{.folder = folder, .files = {}};
  for (const auto& name : workers) {
    auto bytes = os::read_file(fmt::format("{}/{}", folder, name));
    if (!bytes) throw Error(fmt::format("{}/{} is gone", folder, name), "install the workers again");
    programs.files.emplace_back(name, std::make_shared<const std::string>(std::move(*bytes)));
  }
  return programs;
}

/// What a host's node has printed so far, handed on by whole lines with the host's name before each.
class Progress {
 public:
  Progress(std::string host, std::size_t width) : host_(std::move(host)), width_(width) {}
  void take(std::string_view text) {
    rest_ += text;
    for (auto end = rest_.find('\n'); end != std::string::npos; end = rest_.find('\n')) {
      fmt::print(stderr, "{:<{}}  {}\n", host_, width_, one_line(rest_.substr(0, end)));
      rest_.erase(0, end + 1);
    }
  }

 private:
  std::string host_, rest_;
  std::size_t width_;
};

/// The reports of a host as they come, in its node's folder.
void unpack(const std::string& folder, std::string_view archive) {
  os::make_folder(folder);
  os::run({.argv = {"tar", "-C", folder, "-xz", "--no-same-owner", "--no-same-permissions", "-f", "-"},
           .input = std::string(archive),
           .environment = all_variables(),
           .folder = {}});
}

/// All hosts that can't be used are named at once.
void check_reached(const HostGroup& group, const AcceptOptions& options, std::size_t all) {
  auto troubles = group.troubles();
  if (troubles.empty()) return;
  std::sort(troubles.begin(), troubles.end(),
            [](const auto& a, const auto& b) { return NaturalOrder()(a.host, b.host); });
  if (troubles.size() == 1 && all == 1) {
    const bool a_file_was_meant = options.hosts == troubles[0].host;
    throw Error(troubles[0].what,
                a_file_was_meant ? fmt::format("{}; there is no file {} either", troubles[0].advice, *options.hosts)
                                 : troubles[0].advice,
                ExitCode::connection);
  }
  std::vector<std::string> parts;
  parts.reserve(troubles.size());
  for (const auto& one : troubles) {
    parts.push_back(one.what.find(one.host) == std::string::npos ? one.host + ": " + one.what : one.what);
  }
  throw Error(fmt::format("{} of {} can't be used: {}", troubles.size(), counted(static_cast<long long>(all), "host"),
                          fmt::join(parts, "; ")),
              fmt::format("try ssh {} true, which must work without a question; nothing was started anywhere",
                          troubles[0].host),
              ExitCode::connection);
}

/// Ranks on every host: what the command line says, then the file, then the GPUs that are there.
int slots_of(const AcceptOptions& options, const remote::HostSession& session) {
  const auto& name = session.host().name;
  const auto gpus = session.facts().gpus;
  const auto asked = options.slots           ? options.slots
                     : options.gpus_per_node ? options.gpus_per_node
                                             : session.host().slots;
  if (!asked) {
    if (options.device == "cpu") return 2;
    if (!gpus && options.device == "cuda") {
      throw Error(fmt::format("{} does not say how many GPUs it has: nvidia-smi -L fails there", name),
                  "install the driver there, or say it: --slots 8", ExitCode::usage);
    }
    return std::max(gpus.value_or(1), 1);
  }
  if (options.device != "cpu" && gpus && (*gpus > 0 || options.device == "cuda") && *asked > *gpus) {
    throw Error(fmt::format("{} has {}, and {} are asked for", name, counted(*gpus, "GPU"), counted(*asked, "slot")),
                fmt::format("give it as many as it has: {} slots={}", name, *gpus), ExitCode::usage);
  }
  return *asked;
}

int equal_slots(const AcceptOptions& options, HostGroup& group) {
  const auto& sessions = group.sessions();
  const int first = slots_of(options, *sessions.front());
  for (const auto& session : sessions) {
    const int slots = slots_of(options, *session);
    if (slots == first) continue;
    throw Error(fmt::format("{} has {} and {} has {}: an acceptance takes the same number on every host",
                            sessions.front()->host().name, counted(first, "slot"), session->host().name,
                            counted(slots, "slot")),
                "say --slots N with what all have, or accept the others by themselves", ExitCode::usage);
  }
  return first;
}

/// Names with what they have in common.
std::string say_workers(HostGroup& hosts, const std::string& folder) {
  std::vector<std::string> have, get;
  for (const auto& session : hosts.sessions()) {
    (session->facts().has_workers ? have : get).push_back(session->host().name);
  }
  std::string text;
  if (!have.empty()) text += fmt::format("rv: {}: the workers of {}, as here\n", listed(have), folder);
  if (!get.empty())
    text += fmt::format("rv: {}: workers copied into a private folder, which goes at the end\n", listed(get));
  return text;
}

void send_work(HostGroup& group, const accept::Order& order, const Programs& programs, const std::string& token) {
  const auto address = remote::meeting_address(group.facts(), group.sessions().front()->host().name);
  const int port = group.sessions().front()->facts().free_port;
  const auto secret = std::make_shared<const std::string>(token);
  for (std::size_t i = 0; i < group.sessions().size(); ++i) {
    auto& session = *group.sessions()[i];
    const auto& there = session.facts().folder;
    const auto workers = session.facts().has_workers ? programs.folder : there + "/workers";
    if (!session.facts().has_workers) {
      for (const auto& [name, bytes] : programs.files) session.send_file("workers/" + name, "700", bytes);
    }
    session.send_file("token", "600", secret);
    session.send_file(
        "node.sh", "600",
        std::make_shared<const std::string>(node_script(order, there + "/reports", workers, there + "/token")));
    session.start(static_cast<int>(i), order.nodes, address, port, order.gpus_per_node);
  }
}

bool served_until(HostGroup& group, const std::function<bool()>& done) {
  while (!done()) {
    group.serve();
    if (os::interrupt_waits()) return false;
  }
  return true;
}

/// Ends all, and says where that could not be done.
void end_all(HostGroup& group) {
  os::take_interrupt();  // another one ends the waiting, too
  const auto left = group.end();
  if (!left.empty()) {
    fmt::print(stderr,
               "rv: {}: can't be reached to end what runs there; it ends by itself within 15 s if the host lives\n",
               listed(left));
  }
}

std::vector<accept::Finding> findings_of(const HostGroup& group) {
  std::vector<accept::Finding> findings;
  for (const auto& trouble : group.troubles()) {
    findings.push_back({.verdict = accept::Verdict::error,
                        .subject = {.node = trouble.host, .gpu_index = std::nullopt, .gpu_uuid = {}, .model = {}},
                        .rank = std::nullopt,
                        .what = trouble.what + "; the work was ended on all hosts",
                        .advice = trouble.advice});
  }
  return findings;
}

}  // namespace

int accept_on_hosts(const AcceptOptions& options, const Invocation& invocation) {
  refuse_together(options);
  const auto hosts = remote::read_hosts(*options.hosts);
  // Bad words are found before anybody is asked.
  auto ordered = order_of(options, static_cast<int>(hosts.size()), 2);
  ordered.io = io_order_of(options, ordered, invocation.settings, IoPlace::far);
  const auto workers = acceptance_workers(ordered);
  const auto programs = read_programs(workers_folder(options.workers, invocation.settings, workers), workers);
  std::size_t width = 0;
  for (const auto& host : hosts) width = std::max(width, host.name.size());

  os::catch_interrupts();
  os::catch_hangup();
  std::string folder;  // once there is something to put there
  std::vector<Progress> progress;
  progress.reserve(hosts.size());
  for (const auto& host : hosts) progress.emplace_back(host.name, width);
  HostGroup group(hosts, programs.known(), [&](std::size_t i) {
    return remote::HostSession::Sink{
        .output = [&, i](std::string_view text) { progress[i].take(text); },
        .reports = [&, i](std::string_view archive) { unpack(folder + "/reports/" + hosts[i].name, archive); }};
  });
  if (!served_until(group, [&] { return group.all_answered(); })) {
    end_all(group);
    return os::interrupt_exit_code();
  }
  accept::Order order;
  try {
    check_reached(group, options, hosts.size());
    for (const auto& session : group.sessions()) remote::check_system(session->facts().system, session->host().name);
    order = order_of(options, static_cast<int>(hosts.size()), equal_slots(options, group));
    order.io = ordered.io;
  } catch (const Error&) {
    end_all(group);
    throw;
  }
  if (options.dry_run) {
    end_all(group);
    fmt::print("{}", steps_text(order));
    return 0;
  }
  folder = new_acceptance_folder(invocation.settings.home);
  prepare_acceptance(folder, order, programs.folder);
  fmt::print(stderr, "{}", say_workers(group, programs.folder));
  send_work(group, order, programs, os::read_file(folder + "/token").value_or(""));
  const bool served = served_until(group, [&] { return group.all_ended() || !group.troubles().empty(); });
  end_all(group);
  const auto name = fs::path(folder).filename().string();
  if (!served) {
    fmt::print(stderr, "rv: ended on all hosts; rv accept --judge {} judges what it leaves\n", folder);
    return os::interrupt_exit_code();
  }
  return conclude(folder, name, findings_of(group), options, invocation);
}

}  // namespace rv::cli
