#include "workers/ranks/run_ranks.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <cstdlib>
#include <new>
#include <string_view>

#include "workers/devices/cause.h"
#include "workers/ranks/children.h"
#include "workers/ranks/handshake.h"
#include "workers/ranks/meeting.h"
#include "workers/ranks/progress_line.h"

namespace rv::workers {
namespace {

constexpr int error_code = 3;
constexpr auto look_every = std::chrono::milliseconds(20);

std::string key_of(const Launch& launch) {
  return step_key(launch.token, fmt::format("{}\n{}", launch.program, launch.step));
}

/// Runs one rank, in its own process.
int live(const Launch& launch, const std::string& host, int port, int rank, const std::function<void(Peer&)>& work) {
  const auto& ranks = launch.ranks;
  if (launch.fault.hits(Fault::Kind::never, rank)) {
    while (true) sleep(3600);
  }
  try {
    const Peer::RankPosition position{rank, ranks.world, ranks.first_local + rank - ranks.first};
    Peer peer(position, host, port, key_of(launch), launch.deadlines, launch.fault);
    try {
      work(peer);
      peer.leave();
      return 0;
    } catch (const RunEnded&) {
      return error_code;  // the coordinator has reported the reason
    } catch (const LinkBroken& broken) {
      peer.fail(broken.what(), true);
      return error_code;
    } catch (const std::exception& error) {
      peer.fail(error.what(), false, cause_of(error));
      return error_code;
    }
  } catch (const RunEnded& ended) {
    if (!ranks.coordinates) fmt::print(stderr, "rank {}: {}\n", rank, ended.what());
  } catch (const std::exception& error) {
    fmt::print(stderr, "rank {}: {}\n", rank, error.what());
  }
  return error_code;
}

void start_all(Children& children, const Launch& launch, const std::string& host, int port,
               const std::function<void(Peer&)>& work) {
  for (int i = 0; i < launch.ranks.here; ++i) {
    const int rank = launch.ranks.first + i;
    children.start(rank, [&, rank] { return live(launch, host, port, rank, work); });
  }
}

Measurement ended_early(const Failure& failure) {
  Measurement m;
  m.suite = "ranks";
  m.name = "run";
  m.device.index = all_devices;
  m.device.model = "all ranks";
  m.verdict = Verdict::error;
  if (failure.ranks.size() == 1) m.rank = failure.ranks.front();
  m.reason = failure.message;
  m.params["ranks"] = failure.ranks;
  if (!failure.cause.empty()) m.params["cause"] = failure.cause;
  return m;
}

/// Whether stderr is a terminal on which a line can be overwritten.
bool on_terminal() {
  const auto* const kind = std::getenv("TERM");
  return isatty(STDERR_FILENO) == 1 && kind != nullptr && std::string_view(kind) != "dumb";
}

int coordinate(const Launch& launch, Report& report, const std::function<void(Peer&)>& work) {
  int port = launch.ranks.port;
  auto listener = listen_on(port, launch.ranks.one_process);
  Coordinator coordinator(launch.ranks.hosts, launch.deadlines, Clock::now());
  Meeting meeting(std::move(listener), key_of(launch), coordinator);
  Children children;
  start_all(children, launch, "127.0.0.1", port, work);

  ProgressLine progress(stderr, on_terminal(), launch.program, Clock::now());
  const auto take_reports = [&] {
    auto& lines = coordinator.reports();
    if (!lines.empty()) progress.clear(Clock::now());
    for (; !lines.empty(); lines.pop_front()) add_line(report, lines.front());
  };
  std::optional<Clock::time_point> kill_at;
  while (true) {
    meeting.serve(look_every);
    take_reports();
    progress.show(coordinator.doing(), Clock::now());
    for (const auto& ended : children.reap()) coordinator.process_ended(ended.rank, ended.how, Clock::now());
    if (coordinator.failure() && !kill_at) kill_at = Clock::now() + launch.deadlines.grace;
    if (kill_at && Clock::now() > *kill_at) children.kill_all();
    if (!children.any() && (coordinator.failure() || coordinator.all_left())) break;
  }
  take_reports();
  progress.clear(Clock::now());
  if (coordinator.failure()) report.add(ended_early(*coordinator.failure()));
  const int code = report.exit_code_of(report.finish(), launch.allow_skip);
  meeting.notify_starters(code, coordinator.failure() ? coordinator.failure()->message : "");
  return code;
}

/// Runs the ranks of a process without the coordinator: reports how they end, and receives the exit code of the run.
int accompany(const Launch& launch, const std::function<void(Peer&)>& work) {
  const auto& ranks = launch.ranks;
  Children children;
  start_all(children, launch, ranks.coordinator, ranks.port, work);

  const auto join_by = Clock::now() + launch.deadlines.join;
  Channel channel;
  try {
    channel = connect_to(ranks.coordinator, ranks.port, join_by);
    introduce(channel, {{"op", "watch"}, {"world", ranks.world}, {"first", ranks.first}, {"here", ranks.here}},
              key_of(launch), fmt::format("{}:{}", ranks.coordinator, ranks.port), join_by);
  } catch (const std::exception& error) {
    fmt::print(stderr, "ranks {} to {}: {}\n", ranks.first, ranks.first + ranks.here - 1, error.what());
    return error_code;
  }
  bool connected = true;
  std::optional<int> code;
  std::optional<Clock::time_point> kill_at;
  while (children.any() || (connected && !code)) {
    pollfd waiting{connected ? channel.socket() : -1, POLLIN, 0};
    poll(&waiting, 1, static_cast<int>(look_every.count()));
    if (connected && waiting.revents != 0) {
      connected = channel.receive_some(std::size_t{1} << 20);
      while (const auto message = channel.next()) {
        const auto op = message->is_object() ? message->value("op", "") : "";
        if (op != "finished" && op != "refused") continue;
        code = message->value("exit", error_code);
        const auto reason = message->value("reason", "");
        if (!reason.empty())
          fmt::print(stderr, "ranks {} to {}: {}\n", ranks.first, ranks.first + ranks.here - 1, reason);
      }
      if (!connected && !code) {
        fmt::print(stderr, "ranks {} to {}: lost the connection to rank 0's process at {}\n", ranks.first,
                   ranks.first + ranks.here - 1, ranks.coordinator);
      }
    }
    if ((code || !connected) && !kill_at) kill_at = Clock::now() + launch.deadlines.grace;
    if (kill_at && Clock::now() > *kill_at) children.kill_all();
    for (const auto& ended : children.reap()) {
      channel.send({{"op", "process_ended"}, {"rank", ended.rank}, {"how", ended.how}},
                   Clock::now() + launch.deadlines.grace);
    }
  }
  return code.value_or(error_code);
}

}  // namespace

void add_line(Report& report, const Json& line) {
  if (line.value("kind", "") == "environment") {
    auto json = line;
    const auto text = line.value("text", "");
    json.erase("text");
    report.environment(json, text);
  } else if (line.value("kind", "") == "exit") {
    const auto verdict = verdict_named(line.value("verdict", ""));
    report.set_exit_code(verdict.value_or(Verdict::skip), line.value("code", error_code));
  } else {
    report.add(measurement_from_json(line));
  }
}

int run_ranks(const Launch& launch, Report& report, const std::function<void(Peer&)>& work) {
  return launch.ranks.coordinates ? coordinate(launch, report, work) : accompany(launch, work);
}

}  // namespace rv::workers
