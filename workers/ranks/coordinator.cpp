#include "workers/ranks/coordinator.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "shared/documents/json_integer.h"

namespace rv::workers {
namespace {

/// A rank's connection and its starter's are independent: the rank's may break before the starter reports how it ended,
/// and that report may overtake the rank's last message.
constexpr auto time_to_explain = std::chrono::milliseconds(700);
/// The neighbour of a rank that died may report a broken link before the death is reported.
constexpr auto time_for_the_cause = std::chrono::milliseconds(1500);

double seconds(Clock::duration time) {
  return std::chrono::duration<double>(time).count();
}

}  // namespace

Coordinator::Coordinator(std::vector<std::string> hosts, Deadlines deadlines, Time now)
    : members_(hosts.size()), deadlines_(deadlines), began_(now), last_tick_(now) {
  for (std::size_t i = 0; i < hosts.size(); ++i) members_[i].host = std::move(hosts[i]);
}

std::string Coordinator::name(int rank) const {
  const auto& member = members_[static_cast<std::size_t>(rank)];
  if (member.host.empty()) return fmt::format("rank {}", rank);
  if (member.pid == 0) return fmt::format("rank {} (host {})", rank, member.host);
  return fmt::format("rank {} (host {}, process {})", rank, member.host, member.pid);
}

std::string Coordinator::names(const std::vector<int>& ranks) const {
  constexpr std::size_t most = 16;
  std::vector<std::string> all;
  for (std::size_t i = 0; i < ranks.size() && i < most; ++i) all.push_back(name(ranks[i]));
  if (ranks.size() > most) all.push_back(fmt::format("{} more", ranks.size() - most));
  return fmt::format("{}", fmt::join(all, ", "));
}

void Coordinator::end(std::vector<int> ranks, std::string message, std::string cause) {
  if (failure_) return;  // the first failure is the cause, later ones follow from it
  failure_ = Failure{std::move(ranks), std::move(message), std::move(cause)};
  for (std::size_t rank = 0; rank < members_.size(); ++rank) {
    if (members_[rank].joined && !members_[rank].left) {
      outgoing_.push_back({static_cast<int>(rank), {{"op", "end"}, {"reason", failure_->message}}});
    }
  }
}

std::string Coordinator::join(int rank, const std::string& host, int pid, const std::string& address, Time now) {
  if (rank < 0 || static_cast<std::size_t>(rank) >= members_.size()) {
    return fmt::format("rank {} is not one of the {} ranks of this run", rank, members_.size());
  }
  if (failure_) return failure_->message;
  auto& member = members_[static_cast<std::size_t>(rank)];
  if (member.joined) return fmt::format("rank {} has already joined, from host {}", rank, member.host);
  member.joined = true;
  member.host = host;
  member.pid = pid;
  member.address = address;
  member.last_sign = member.step_since = now;
  start_if_complete();
  return "";
}

void Coordinator::start_if_complete() {
  if (!std::all_of(members_.begin(), members_.end(), [](const Member& m) { return m.joined; })) return;
  started_ = true;
  Json hosts = Json::array(), addresses = Json::array();
  for (const auto& member : members_) {
    hosts.push_back(member.host);
    const bool loopback = member.address.rfind("127.", 0) == 0;
    addresses.push_back(loopback && !own_address_.empty() ? own_address_ : member.address);
  }
  for (std::size_t rank = 0; rank < members_.size(); ++rank) {
    outgoing_.push_back({static_cast<int>(rank), {{"op", "started"}, {"hosts", hosts}, {"addresses", addresses}}});
  }
}

void Coordinator::receive(int rank, const Json& message, Time now) {
  auto& member = members_[static_cast<std::size_t>(rank)];
  member.last_sign = now;
  const auto op = message.value("op", "");
  if (op == "alive") {
    const auto step = integer_or(message, "step", std::int64_t{0}), part = integer_or(message, "part", std::int64_t{0});
    if (step != member.step || part != member.part_number) {
      member.step = step;
      member.part_number = part;
      member.step_since = now;
      member.doing = message.value("doing", "");
    }
  } else if (op == "gather") {
    gather(rank, message, now);
  } else if (op == "report") {
    reports_.push_back(message.value("line", Json::object()));
  } else if (op == "fail") {
    auto reason = fmt::format("{}: {}", name(rank), message.value("reason", "ended with an error"));
    auto cause = message.value("cause", "");
    member.left = true;  // it has reported its reason
    if (!message.value("symptom", false)) {
      end({rank}, std::move(reason), std::move(cause));
    } else if (!symptom_) {
      symptom_ = Failure{{rank}, std::move(reason), std::move(cause)};
      symptom_since_ = now;
    }
  } else if (op == "bye") {
    member.left = true;
  }
}

void Coordinator::gather(int rank, const Json& message, Time now) {
  auto& member = members_[static_cast<std::size_t>(rank)];
  member.waits = true;
  member.gathering = message.value("name", "");
  member.part = message.contains("part") ? message["part"] : Json();
  member.step_since = now;
  if (!std::all_of(members_.begin(), members_.end(), [](const Member& m) { return m.waits; })) return;
  Json parts = Json::array();
  for (std::size_t i = 0; i < members_.size(); ++i) {
    auto& other = members_[i];
    if (other.gathering != member.gathering) {
      end({}, fmt::format("the ranks are out of step: {} is at \"{}\", {} at \"{}\"", name(rank), member.gathering,
                          name(static_cast<int>(i)), other.gathering));
      return;
    }
    parts.push_back(std::move(other.part));
    other.part = Json();
    other.waits = false;
    other.step_since = now;
  }
  for (std::size_t i = 0; i < members_.size(); ++i) {
    outgoing_.push_back({static_cast<int>(i), {{"op", "gathered"}, {"name", member.gathering}, {"parts", parts}}});
  }
}

void Coordinator::disconnected(int rank, Time now) {
  auto& member = members_[static_cast<std::size_t>(rank)];
  if (member.left || member.disconnected) return;
  member.disconnected = now;
  if (member.ended) died(rank);
}

void Coordinator::process_ended(int rank, const std::string& how, Time now) {
  auto& member = members_[static_cast<std::size_t>(rank)];
  if (member.left || member.ended) return;
  member.ended = Ended{how, now};
  if (member.disconnected) died(rank);
}

void Coordinator::died(int rank) {
  auto& member = members_[static_cast<std::size_t>(rank)];
  const auto& how = member.ended->how;
  if (!member.joined) {
    end({rank}, fmt::format("{} {} before it joined", name(rank), how));
  } else {
    end({rank}, fmt::format("{} {} while at: {}", name(rank), how, member.doing));
  }
  member.left = true;
}

void Coordinator::starter_lost(const std::vector<int>& ranks, const std::string& how) {
  const bool ended =
      std::all_of(ranks.begin(), ranks.end(), [&](int rank) { return members_[static_cast<std::size_t>(rank)].left; });
  if (!ended) end(ranks, fmt::format("the process that started {} {}", names(ranks), how));
}

void Coordinator::tick(Time now) {
  // If the coordinator itself was stopped (a suspended job, a laptop's lid), the pause must not count against the
  // ranks.
  const auto pause = now - last_tick_;
  last_tick_ = now;
  if (pause > std::chrono::seconds(3)) {
    began_ += pause;
    for (auto& member : members_) {
      member.last_sign += pause;
      member.step_since += pause;
    }
  }
  if (failure_) return;
  look_for_the_absent(now);
  look_for_the_dead(now);
  look_for_the_stuck(now);
  fail_with_symptom(now);
}

void Coordinator::look_for_the_absent(Time now) {
  if (started_ || now - began_ < deadlines_.join) return;
  std::vector<int> absent;
  for (std::size_t i = 0; i < members_.size(); ++i) {
    if (!members_[i].joined) absent.push_back(static_cast<int>(i));
  }
  end(absent, fmt::format("{} of {} ranks did not join within {:.0f} s: {}", absent.size(), members_.size(),
                          seconds(deadlines_.join), names(absent)));
}

void Coordinator::look_for_the_dead(Time now) {
  for (std::size_t i = 0; i < members_.size(); ++i) {
    const auto& member = members_[i];
    const auto rank = static_cast<int>(i);
    if (member.left) continue;
    if (member.ended) {
      if (now - member.ended->at > time_to_explain) died(rank);
      continue;
    }
    if (!member.joined) continue;
    if (member.disconnected && now - *member.disconnected > time_to_explain) {
      end({rank}, fmt::format("the connection to {} broke while at: {}", name(rank), member.doing));
    } else if (!member.disconnected && now - member.last_sign > deadlines_.silence) {
      end({rank}, fmt::format("{} has sent no heartbeat for {:.0f} s; it was at: {}", name(rank),
                              seconds(deadlines_.silence), member.doing));
    }
  }
}

void Coordinator::look_for_the_stuck(Time now) {
  if (!started_) return;
  const auto late = std::any_of(members_.begin(), members_.end(),
                                [&](const Member& m) { return !m.left && now - m.step_since > deadlines_.step; });
  if (!late) return;
  const auto stuck = furthest_behind();
  if (stuck.empty()) return;  // a gather is complete, and its result is on the way
  const auto running = static_cast<std::size_t>(
      std::count_if(members_.begin(), members_.end(), [](const Member& m) { return !m.left; }));
  const auto& doing = members_[static_cast<std::size_t>(stuck.front())].doing;
  if (stuck.size() == running) {
    end({}, fmt::format("all {} ranks are stuck for {:.0f} s at: {}", running, seconds(deadlines_.step), doing));
  } else {
    end(stuck,
        fmt::format("{} is stuck for {:.0f} s at: {}; the others wait", names(stuck), seconds(deadlines_.step), doing));
  }
}

std::vector<int> Coordinator::furthest_behind() const {
  // Ranks that wait are not the cause. Of the others, those with the fewest steps hold up the rest.
  std::optional<std::int64_t> fewest;
  for (const auto& member : members_) {
    if (!member.left && !member.waits) fewest = std::min(fewest.value_or(member.step), member.step);
  }
  std::vector<int> behind;
  for (std::size_t i = 0; i < members_.size(); ++i) {
    const auto& member = members_[i];
    if (!member.left && !member.waits && member.step == fewest) behind.push_back(static_cast<int>(i));
  }
  return behind;
}

std::string Coordinator::doing() const {
  const auto behind = started_ ? furthest_behind() : std::vector<int>();
  return behind.empty() ? "" : members_[static_cast<std::size_t>(behind.front())].doing;
}

void Coordinator::fail_with_symptom(Time now) {
  if (!symptom_ || now - symptom_since_ <= time_for_the_cause) return;
  const bool cause_comes =
      std::any_of(members_.begin(), members_.end(), [](const Member& m) { return m.ended && !m.left; });
  if (!cause_comes) end(symptom_->ranks, symptom_->message, symptom_->cause);
}

bool Coordinator::all_left() const {
  return std::all_of(members_.begin(), members_.end(), [](const Member& m) { return m.left; });
}

}  // namespace rv::workers
