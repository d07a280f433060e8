#include "cli/remote/forward/login_relay.h"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): SIGPIPE's number
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <set>

#include "cli/remote/forward/job_steps.h"
#include "cli/remote/forward/relay.h"
#include "cli/remote/forward/run_end.h"
#include "cli/settings/settings.h"
#include "monitor/follow/allocation_shell.h"
#include "monitor/follow/element_jobs.h"
#include "monitor/race/watch_runs.h"
#include "slurm/parse/hostlist.h"

namespace rv::forward {

namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

// A step starts within moments where its node answers at all.
constexpr auto step_time = 60s;

struct Found {
  monitor::KnownRun run;
  Hello hello;
};

/// The array whose elements are the run; empty: it is none.
std::string array_of(const monitor::KnownRun& run) {
  const auto claim = monitor::read_facts(run.folder).claim;
  return run.record.job.array && claim ? slurm::to_string(claim->job) : "";
}

/// srun with the job that has the node: each element of an array has its own.
std::vector<std::string> step_on(const monitor::KnownRun& run, const monitor::RunView& view, const std::string& node) {
  auto step = monitor::step_of(run.folder, view);
  const std::string array = array_of(run);
  if (array.empty()) return step;
  for (const auto& element : monitor::running_elements(array)) {
    if (std::find(element.nodes.begin(), element.nodes.end(), node) == element.nodes.end()) continue;
    std::replace(step.begin(), step.end(), "--jobid=" + array, "--jobid=" + element.job);
    return step;
  }
  throw Error(fmt::format("no element of run {} is on {}", run.record.id, node),
              fmt::format("rv show {} lists the running elements", run.record.id), ExitCode::no_such_run);
}

/// The view names the nodes of one job: all that an array's elements run on are put there.
void name_all_nodes(const monitor::KnownRun& run, monitor::RunView& view) {
  const std::string array = array_of(run);
  if (array.empty()) return;
  std::set<std::string> nodes;
  for (const auto& element : monitor::running_elements(array)) nodes.insert(element.nodes.begin(), element.nodes.end());
  if (!nodes.empty()) view.nodes = fmt::format("{}", fmt::join(nodes, ","));
}

std::vector<Target> listening(const monitor::KnownRun& run, const monitor::RunView& view,
                              const std::vector<std::string>& nodes, const std::string& program) {
  const std::string array = array_of(run);
  if (array.empty()) return ports_of_job(monitor::step_of(run.folder, view), nodes, program, array);
  std::vector<Target> targets;
  for (const std::string& node : nodes) {
    const auto found = ports_of_job(step_on(run, view, node), {node}, program, array);
    targets.insert(targets.end(), found.begin(), found.end());
  }
  return targets;
}

std::vector<Target> targets_of(const RelayRequest& request, const monitor::KnownRun& run, const monitor::RunView& view,
                               const std::string& home) {
  if (!request.targets.empty()) return request.targets;
  monitor::check_node(run.folder, view, request.node);
  auto nodes = slurm::expand_hostlist(view.nodes);
  if (nodes.empty())
    nodes = {monitor::read_facts(run.folder).claim->node};  // Slurm does not answer; the job's first node is known
  std::vector<Target> targets;
  const std::string node = request.node.empty() ? nodes.front() : request.node;
  for (const int port : request.ports) targets.push_back({node, port});
  if (!request.automatic) return targets;
  if (!request.node.empty()) nodes = {request.node};
  for (const Target& found : listening(run, view, nodes, program_for_nodes(home))) {
    if (std::find(targets.begin(), targets.end(), found) == targets.end()) targets.push_back(found);
  }
  if (targets.empty()) {
    throw Error(fmt::format("no process of run {} listens on a port", run.record.id),
                "run rv forward --auto again later, or name a port", ExitCode::failed);
  }
  return targets;
}

Found find(const RelayRequest& request, const std::string& home) {
  Settings settings;
  settings.home = home;
  const auto runs = monitor::runs_in(settings.runs_folder());
  auto [run, view] = monitor::poll_named_or_holding(
      runs, request.run.empty() ? std::nullopt : std::optional<std::string>(request.run));
  const std::string id = run.record.id;
  if (monitor::is_final(view.state)) {
    throw Error(fmt::format("run {} is over: {}", id, to_string(view.state)), "rv ps lists the runs",
                ExitCode::no_such_run);
  }
  if (const auto claim = monitor::read_facts(run.folder).claim; !claim || claim->by_stop) {
    throw Error(fmt::format("run {} has not started: {}", id, to_string(view.state)),
                fmt::format("it has no node yet; rv wait --started {} waits until it has", id), ExitCode::no_such_run);
  }
  name_all_nodes(run, view);
  return {.run = run,
          .hello = {.run = id, .name = run.record.name, .targets = targets_of(request, run, view, home), .fault = {}}};
}

/// The login node's part. It connects to no target itself: only a step of the job can find the owner of a port.
class LoginRelay {
 public:
  LoginRelay(Found found, const std::string& home)
      : found_(std::move(found)),
        end_(found_.run),
        pipe_(loop_, STDIN_FILENO, STDOUT_FILENO, [this](const Frame& frame) { receive(frame); }),
        steps_(
            loop_,
            [this](const std::string& node) {
              return step_on(found_.run, monitor::poll_runs({found_.run}).views.front(), node);
            },
            program_for_nodes(home), array_of(found_.run), [this](const Frame& frame) { pass_back(frame); }) {
    loop_.watch(
        end_.fd(), [] { return static_cast<short>(POLLIN); }, [](short) {});
  }
  ~LoginRelay() { loop_.forget(end_.fd()); }
  LoginRelay(const LoginRelay&) = delete;
  LoginRelay& operator=(const LoginRelay&) = delete;

  /// Throws Error for a target that is not the run's. One where nothing listens may become the run's.
  void check_targets() {
    const auto& targets = found_.hello.targets;
    for (std::uint32_t i = 0; i < targets.size(); ++i) {
      steps_.ask(
          targets[i].node,
          {.kind = FrameKind::ask, .channel = i, .payload = fmt::format("{} {}", targets[i].node, targets[i].port)});
    }
    const auto until = Clock::now() + step_time;
    while (answers_.size() < targets.size() && !pipe_.ended()) {
      loop_.run_once(1s);
      if (steps_.some_ended() || Clock::now() > until) {
        throw Error(fmt::format("Slurm could not run a step of run {} on its node", found_.hello.run),
                    fmt::format("check that rv ssh {} works: a forward uses a step of the run's job", found_.hello.run),
                    ExitCode::slurm);
      }
    }
    for (const auto& [place, refusal] : answers_) {
      if (refusal.empty()) continue;
      throw Error(refusal,
                  "let the run listen on another port, and forward that; rv forward --auto finds the run's own",
                  ExitCode::failed);
    }
  }

  /// Until the near end or the run has ended.
  void serve() {
    pipe_.greet();
    pipe_.send({.kind = FrameKind::hello, .channel = 0, .payload = to_text(found_.hello)});
    while (!pipe_.ended() && end_.how().empty()) {
      loop_.run_once(1s);
      if (steps_.some_ended()) end_.look_soon();
    }
    pipe_.send({.kind = FrameKind::over, .channel = 0, .payload = end_.how()});
    pipe_.flush();
  }

 private:
  void receive(const Frame& frame) {
    if (frame.kind == FrameKind::open) {
      steps_.open(node_now(open_target(frame.payload).node), frame);
    } else {
      steps_.pass_on(frame);
    }
  }

  void pass_back(const Frame& frame) {
    if (frame.kind == FrameKind::answer) {
      answers_[frame.channel] = frame.payload;
    } else {
      pipe_.send(frame);
    }
  }

  std::string node_now(const std::string& node) const {
    if (found_.run.record.job.array) return node;
    const auto nodes = end_.nodes();  // a run in segments moves
    return nodes.empty() || std::find(nodes.begin(), nodes.end(), node) != nodes.end() ? node : nodes.front();
  }

  Found found_;
  RunEnd end_;
  os::PollLoop loop_;
  FramePipe pipe_;
  JobSteps steps_;
  std::map<std::uint32_t, std::string> answers_;  // by the target's place
};

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
    const RelayRequest asked = relay_request(request);
    LoginRelay relay(find(asked, home), home);
    // A reconnect skips the check of its targets: each connection to a target is checked anyway.
    if (asked.targets.empty()) relay.check_targets();
    relay.serve();
    return 0;
  } catch (const Error& fault) {
    refuse(fault);
    return static_cast<int>(fault.code());
  }
}

}  // namespace rv::forward
