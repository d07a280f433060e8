#include "cli/remote/hosts/host_group.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/os/interrupt.h"
#include "cli/remote/hop/ssh_failure.h"

namespace rv::remote {
namespace {

using namespace std::chrono_literals;

constexpr auto look_every = 100ms;
constexpr auto beat_every = 2s;
constexpr auto longest_start = 60s;    // from ssh until the facts: a driver may take its time to list GPUs
constexpr auto longest_silence = 10s;  // the host sends a sign every second
constexpr auto longest_end = 15s;

}  // namespace

HostGroup::HostGroup(const std::vector<Host>& hosts, const KnownWorkers& workers,
                     const std::function<HostSession::Sink(std::size_t)>& sink_of) {
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    sessions_.push_back(std::make_unique<HostSession>(hosts[i], workers, sink_of(i)));
    sessions_.back()->watch(loop_);
  }
}

HostGroup::~HostGroup() = default;

std::vector<HostFacts> HostGroup::facts() const {
  std::vector<HostFacts> facts;
  facts.reserve(sessions_.size());
  for (const auto& session : sessions_) facts.push_back(session->facts());
  return facts;
}

bool HostGroup::in_trouble(const std::string& host) const {
  return std::any_of(troubles_.begin(), troubles_.end(), [&](const auto& one) { return one.host == host; });
}

bool HostGroup::all_answered() const {
  return std::all_of(sessions_.begin(), sessions_.end(),
                     [this](const auto& s) { return s->ready() || in_trouble(s->host().name); });
}

bool HostGroup::all_ended() const {
  return std::all_of(sessions_.begin(), sessions_.end(), [](const auto& s) { return s->ended_with().has_value(); });
}

void HostGroup::serve() {
  loop_.run_once(look_every);
  const auto now = HostSession::Clock::now();
  const bool beats = now - last_beat_ >= beat_every;
  if (beats) last_beat_ = now;
  for (const auto& session : sessions_) {
    if (beats && !session->over() && !session->sending()) session->beat();
    const bool matters = !ending_ || !session->refused().empty();
    if (matters && !in_trouble(session->host().name)) look_at(*session);
  }
}

void HostGroup::look_at(HostSession& session) {
  const std::string& name = session.host().name;
  const auto now = HostSession::Clock::now();
  if (!session.refused().empty()) {
    troubles_.push_back(
        {name,
         fmt::format("{} sent data that rv does not accept: {}", session.started() ? "it" : name, session.refused()),
         "check that host, or remove it from --hosts: its processes are not those that rv started"});
  } else if (session.over()) {
    const auto why = session.failure();
    troubles_.push_back(
        {name, session.ready() ? fmt::format("its script has ended: {}", why.what()) : why.what(),
         session.ready() ? fmt::format("check with ssh {} whether the host was rebooted or the session was ended", name)
                         : why.advice()});
  } else if (!session.ready() && now - begun_ > longest_start) {
    session.drop();
    troubles_.push_back(
        {name, fmt::format("{} accepted the ssh login, but did not answer for {} s", name, longest_start.count()),
         fmt::format("try ssh {} nvidia-smi -L: a login script, a file system or the driver may hang", name)});
  } else if (session.ready() && session.silence(now) > longest_silence) {
    session.drop();
    troubles_.push_back({name, fmt::format("it sent nothing for {} s", longest_silence.count()),
                         fmt::format("check that ssh {} answers: the host hangs, or its network is down", name)});
  } else if (session.ended_with().value_or(0) != 0) {
    troubles_.push_back({name,
                         fmt::format("the script that runs the workers ended with code {}", *session.ended_with()),
                         "codes 137 and 143 mean that it was killed, often for lack of memory: see dmesg there"});
  }
}

std::vector<std::string> HostGroup::end() {
  ending_ = true;
  for (const auto& session : sessions_) session->end();
  const auto until = HostSession::Clock::now() + longest_end;
  const auto open = [](const auto& session) { return !session->over(); };
  while (std::any_of(sessions_.begin(), sessions_.end(), open) && HostSession::Clock::now() < until) {
    serve();
    if (os::interrupt_waits()) break;
  }
  std::vector<const HostSession*> unclean;
  for (const auto& session : sessions_) {
    session->drop();
    if (!session->clean()) unclean.push_back(session.get());
  }
  if (!os::interrupt_waits()) return end_what_is_left(unclean);
  std::vector<std::string> names;
  names.reserve(unclean.size());
  for (const auto* const session : unclean) names.push_back(session->host().name);
  return names;
}

}  // namespace rv::remote
