#include "cli/forward/login_relay.h"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): SIGPIPE's number
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <set>

#include "cli/allocation_shell.h"
#include "cli/forward/job_steps.h"
#include "cli/forward/relay.h"
#include "cli/forward/run_end.h"
#include "cli/settings.h"
#include "cli/watch_runs.h"
#include "slurm/hostlist.h"

namespace rv::cli::forward {

namespace {

struct Found {
  KnownRun run;
  Hello hello;
};

std::vector<Target> targets_of(const RelayRequest& request, const KnownRun& run, const monitor::RunView& view,
                               const std::string& home) {
  if (!request.targets.empty()) return request.targets;
  check_node(run.folder, view, request.node);
  auto nodes = slurm::expand_hostlist(view.nodes);
  if (nodes.empty())
    nodes = {monitor::read_facts(run.folder).claim->node};  // Slurm does not answer; the job's first node is known
  std::vector<Target> targets;
  const std::string node = request.node.empty() ? nodes.front() : request.node;
  for (const int port : request.ports) targets.push_back({node, port});
  if (!request.automatic) return targets;
  if (!request.node.empty()) nodes = {request.node};
  for (const Target& found : ports_of_job(step_of(run.folder, view), nodes, program_for_nodes(home))) {
    if (std::find(targets.begin(), targets.end(), found) == targets.end()) targets.push_back(found);
  }
  if (targets.empty()) {
    throw Error(fmt::format("the processes of run {} listen on no port", run.record.id),
                "when they do: rv forward --auto; or name a port now", ExitCode::failed);
  }
  return targets;
}

Found find(const RelayRequest& request, const std::string& home) {
  Settings settings;
  settings.home = home;
  const auto runs = known_runs(settings);
  const auto run = request.run.empty() ? latest_run(runs) : resolve_run(runs, request.run);
  const auto view = see_runs({run}).views.front();
  const std::string id = run.record.id;
  if (monitor::is_final(view.state)) {
    throw Error(fmt::format("run {} is over: {}", id, to_string(view.state)), "rv ps lists what is running",
                ExitCode::no_such_run);
  }
  if (const auto claim = monitor::read_facts(run.folder).claim; !claim || claim->by_stop) {
    throw Error(fmt::format("run {} has not started: {}", id, to_string(view.state)),
                fmt::format("it has no node yet; rv wait {} says when it has", id), ExitCode::no_such_run);
  }
  return {.run = run,
          .hello = {.run = id, .name = run.record.name, .targets = targets_of(request, run, view, home), .fault = {}}};
}

/// Serves until the near end or the run has ended.
void serve(const Found& found, const std::string& home) {
  std::map<std::string, std::vector<std::string>> known;
  std::set<std::string> out_of_reach;  // nodes that TCP from here does not get to
  Relay* self = nullptr;
  JobSteps* steps = nullptr;
  RunEnd end(found.run);
  const auto node_now = [&](const std::string& node) {
    const auto nodes = end.nodes();  // a run in segments moves
    return nodes.empty() || std::find(nodes.begin(), nodes.end(), node) != nodes.end() ? node : nodes.front();
  };
  Relay relay(
      STDIN_FILENO, STDOUT_FILENO,
      [&](const std::string& wanted, int port) {
        std::vector<Address> addresses;
        const std::string node = node_now(wanted);
        if (!known.contains(node)) known[node] = node_addresses(node);
        if (out_of_reach.contains(node)) return addresses;
        for (const auto& text : known[node]) addresses.push_back(*numeric_address(text, port));
        return addresses;
      },
      [&](const Frame& frame, const std::string& fault) {
        if (frame.kind != FrameKind::open) {
          steps->pass_on(frame);
          return;
        }
        // What listens on the node's loopback only, or behind a firewall, is reached from the node itself.
        const std::string node = node_now(open_target(frame.payload).node);
        if (fault == std::strerror(ETIMEDOUT)) out_of_reach.insert(node);
        steps->open(node, frame);
      });
  self = &relay;
  JobSteps job_steps(
      relay.loop(),
      [&] {
        const auto view = see_runs({found.run}).views.front();
        return step_of(found.run.folder, view);
      },
      program_for_nodes(home), [&](const Frame& frame) { self->near_end().send(frame); });
  steps = &job_steps;
  relay.loop().watch(
      end.fd(), [] { return static_cast<short>(POLLIN); }, [](short) {});
  relay.near_end().greet();
  relay.near_end().send({.kind = FrameKind::hello, .channel = 0, .payload = to_text(found.hello)});
  while (!relay.ended() && end.how().empty()) {
    relay.turn();
    if (job_steps.some_ended()) end.look_soon();
  }
  relay.loop().forget(end.fd());
  relay.near_end().send({.kind = FrameKind::over, .channel = 0, .payload = end.how()});
  relay.near_end().flush();
}

void refuse(const Error& fault) {
  std::string text(greeting);
  append_frame(text, {.kind = FrameKind::hello,
                      .channel = 0,
                      .payload = to_text(Hello{.run = "", .name = "", .targets = {}, .fault = fault})});
  [[maybe_unused]] const ssize_t written = ::write(STDOUT_FILENO, text.data(), text.size());
}

}  // namespace

int relay_from_login_node(const std::string& request) {
  ::signal(SIGPIPE, SIG_IGN);
  allow_many_descriptors();
  try {
    const std::string home = read_settings().home;
    serve(find(relay_request(request), home), home);
    return 0;
  } catch (const Error& fault) {
    refuse(fault);
    return static_cast<int>(fault.code());
  }
}

}  // namespace rv::cli::forward
