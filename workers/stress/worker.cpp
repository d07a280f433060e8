#include "workers/stress/worker.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <optional>
#include <tuple>

#include "shared/documents/json_dump.h"
#include "shared/system/descriptor.h"
#include "shared/system/start_child.h"
#include "shared/system/write_all.h"
#include "workers/devices/device.h"
#include "workers/devices/out_of_memory.h"
#include "workers/devices/processor_time.h"
#include "workers/report/report.h"
#include "workers/stress/load.h"

namespace rv::workers {
namespace {

using Clock = std::chrono::steady_clock;
using Json = nlohmann::ordered_json;

constexpr auto between_beats = std::chrono::milliseconds(50);

void say(const Json& json) {
  const auto line = json_dump(json) + "\n";
  if (!os::write_all(STDOUT_FILENO, line)) _exit(3);  // the parent has ended
}

/// The next line of stdin; nothing at its end.
std::optional<std::string> heard() {
  std::string line;
  for (char one = 0;;) {
    const auto got = ::read(STDIN_FILENO, &one, 1);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return std::nullopt;
    if (one == '\n') return line;
    line += one;
  }
}

/// Whether the parent process has closed its end of stdin.
bool alone() {
  pollfd in{STDIN_FILENO, 0, 0};
  return ::poll(&in, 1, 0) > 0 && (in.revents & (POLLHUP | POLLERR)) != 0;
}

void leave_orphan() {
  const auto stay = [] {
    while (true) ::pause();
    return 0;
  };
  os::start_child(
      {.group = os::Group::own_session, .work = [&stay] { return os::start_child({.work = stay}) < 0 ? 1 : 0; }});
}

void leave_segment() {
  const auto name = fmt::format("/rv-stress-left-by-{}", ::getpid());
  const os::Descriptor file(::shm_open(name.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600));
  constexpr std::size_t bytes = 4096;
  if (file.number() >= 0 && ::ftruncate(file.number(), bytes) == 0) {
    std::ignore = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file.number(), 0);
  }
}

/// Injected faults that leave something behind, at each step.
void leave(const WorkerOrder& order, Load& load, std::int64_t step) {
  constexpr std::int64_t most_steps = 2;
  constexpr std::size_t bytes = std::size_t{48} << 20U;
  if (order.fault.rank != order.worker || step >= most_steps) return;
  if (order.fault.kind == Fault::Kind::leak) load.leak(bytes);
  if (order.fault.kind == Fault::Kind::descriptor) {
    for (int i = 0; i < 16; ++i) std::ignore = ::open("/dev/null", O_RDONLY);
  }
  if (order.fault.kind == Fault::Kind::orphan && step == 0) leave_orphan();
  if (order.fault.kind == Fault::Kind::segment && step == 0) leave_segment();
}

void loop(const WorkerOrder& order, Load& load, double duration) {
  const auto began = Clock::now();
  const auto end = began + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(duration));
  const auto processor_before = processor_seconds_of_all_threads();
  auto beaten = began;
  std::int64_t operations = 0;
  const auto go_on = [&] {
    const auto now = Clock::now();
    if (now >= end || alone()) return false;
    if (now - beaten >= between_beats) {
      say({{"say", "beat"}, {"operations", operations}});
      beaten = now;
    }
    return true;
  };
  const float offset = order.fault.hits(Fault::Kind::corrupt, order.worker) ? 1.0F : 0.0F;
  auto last = began;  // an aborted operation does not count
  std::string wrong;
  bool whole = false;
  while (go_on()) {
    suffer(order.fault, order.worker, operations);
    leave(order, load, operations);
    whole = load.operate(go_on);
    if (!whole) break;
    if (++operations == 1) wrong = wrong_result(load, order.side, offset);
    last = Clock::now();
  }
  if (whole && wrong.empty()) wrong = wrong_result(load, order.side, offset);
  const auto seconds = std::chrono::duration<double>(last - began).count();
  const auto processor = processor_seconds_of_all_threads() - processor_before;
  const auto wall = std::chrono::duration<double>(Clock::now() - began).count();
  say({{"say", "done"},
       {"operations", operations},
       {"seconds", seconds},
       {"processor_share", wall > 0 ? processor / wall : 0.0},
       {"wrong", wrong}});
}

}  // namespace

int work(const WorkerOrder& order) {
  // If the parent is killed, the workers must end too, even those that hang. Ctrl-C is for the parent, which ends this
  // process.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::prctl(PR_SET_NAME, "rv-stress");  // started as /proc/self/exe, it would be called "exe"
  ::signal(SIGPIPE, SIG_IGN);
  try {
    const auto load = order.gpu ? cuda_load(order.side) : cpu_load(order.side);
    const auto device = order.gpu ? visible_gpus().devices.at(0) : host_processor();
    say({{"say", "ready"}, {"model", device.model}, {"uuid", device.uuid}});
    const auto word = heard();
    if (!word || !word->starts_with("go ")) return 0;
    loop(order, *load, std::strtod(word->c_str() + 3, nullptr));
    heard();
    return 0;
  } catch (const OutOfMemory& fault) {
    say({{"say", "failed"}, {"reason", fault.what()}});
    return does_not_fit;
  } catch (const std::exception& fault) {
    say({{"say", "failed"}, {"reason", fault.what()}});
    return 3;
  }
}

}  // namespace rv::workers
