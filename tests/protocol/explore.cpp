#include "explore.h"

#include <algorithm>
#include <cstring>
#include <random>
#include <utility>
#include <vector>

#include "large_pages.h"

namespace protocol {
namespace {

std::uint64_t hash_of(const State& state) {
  std::uint64_t words[(sizeof(State) + 7) / 8] = {};
  std::memcpy(words, &state, sizeof state);
  std::uint64_t hash = 0x9E3779B97F4A7C15U;
  for (const auto word : words) {
    hash ^= word;
    hash *= 0xBF58476D1CE4E5B9U;
    hash ^= hash >> 29U;
    hash *= 0x94D049BB133111EBU;
    hash ^= hash >> 32U;
  }
  return hash == 0 ? 1 : hash;
}

// Only hashes, of 64 bits each: with ten million states the chance that two share one is one in three hundred thousand.
class Seen {
 public:
  bool insert(std::uint64_t hash) {
    if (2 * (size_ + 1) > slots_.size()) grow();
    return put(hash);
  }
  bool contains(std::uint64_t hash) const {
    for (auto at = hash & (slots_.size() - 1);; at = (at + 1) & (slots_.size() - 1)) {
      if (slots_[at] == hash) return true;
      if (slots_[at] == 0) return false;
    }
  }
  // It will be asked about soon: memory is slow, and answers many at once as quickly as one.
  void soon(std::uint64_t hash) const { __builtin_prefetch(&slots_[hash & (slots_.size() - 1)]); }

 private:
  bool put(std::uint64_t hash) {
    auto at = hash & (slots_.size() - 1);
    for (; slots_[at] != 0; at = (at + 1) & (slots_.size() - 1)) {
      if (slots_[at] == hash) return false;
    }
    slots_[at] = hash;
    ++size_;
    return true;
  }
  void grow() {
    const auto old = std::exchange(slots_, decltype(slots_)(slots_.size() * 2));
    size_ = 0;
    for (const auto hash : old) {
      if (hash != 0) put(hash);
    }
  }
  std::vector<std::uint64_t, LargePages<std::uint64_t>> slots_ = decltype(slots_)(1024);
  std::size_t size_ = 0;
};

// Two clients that have changed places are the same.
State in_order(State state) {
  if (std::memcmp(&state.clients[0], &state.clients[1], sizeof(Client)) < 0) {
    std::swap(state.clients[0], state.clients[1]);
  }
  return state;
}

// The end does not depend on the faults that do not come any more.
State without_faults(State state) {
  state.faults = state.stops = state.duplicates = 0;
  for (auto& job : state.jobs) job.condition &= static_cast<std::uint8_t>(~is_suspended);
  return state;
}

Fault fault_of(Model& model, const State& state, Seen& good) {
  if (state.broken != 0) return static_cast<Fault>(state.broken);
  // What lies on a way that ends well ends well.
  std::vector<std::uint64_t> way;
  const auto fault = model.fair_end(without_faults(state), [&](const State& passed) {
    way.push_back(hash_of(passed));
    return good.contains(way.back());
  });
  if (fault == Fault::none) {
    for (const auto hash : way) good.insert(hash);
  }
  return fault;
}

bool none_is_known(const State&) {
  return false;
}

// How each state was come by: from which one, by which of its steps.
struct Origin {
  std::uint32_t from;
  std::uint16_t step;
};

struct Made {
  State state;
  std::uint64_t hash;
  Origin origin;
};

std::string history_of(Model& model, const std::vector<Origin>& origins, std::size_t at) {
  std::vector<std::uint16_t> way;
  for (; at != 0; at = origins[at].from) way.push_back(origins[at].step);
  std::reverse(way.begin(), way.end());
  std::string history;
  State state = in_order(model.initial());
  for (std::size_t i = 0; i < way.size(); ++i) {
    int number = 0;
    State next = state;
    model.steps(state, [&](const StepName& name, const State& made) {
      if (number++ != way[i]) return;
      history += "  " + std::to_string(i + 1) + ". " + model.shown(name, made) + "\n";
      next = in_order(made);
    });
    state = next;
  }
  if (state.broken == 0) {
    history += "  and then, with nothing failing any more,\n";
    model.fair_end(state, none_is_known, &history);
  }
  return history;
}

}  // namespace

Explored explore(const Setting& setting, int jobs) {
  constexpr std::size_t most_states = 26'000'000, at_once = 64;
  Model model(setting);
  Explored result;
  Seen seen, good;
  std::vector<Origin> origins = {{0, 0}};
  std::vector<State> layer = {in_order(model.initial())}, next_layer;
  std::vector<std::uint32_t> numbers = {0}, next_numbers;
  seen.insert(hash_of(layer[0]));
  const auto found = [&](Fault fault, std::size_t at) {
    result.fault = fault;
    result.history = history_of(model, origins, at);
  };
  std::vector<Made> made;
  for (; !layer.empty() && result.fault == Fault::none; ++result.longest) {
    for (std::size_t i = 0; i < layer.size() && result.fault == Fault::none; ++i) {
      std::uint16_t number = 0;
      model.steps(layer[i], [&](const StepName&, const State& state) {
        ++result.steps;
        made.push_back({.state = in_order(state), .hash = 0, .origin = {numbers[i], number++}});
        made.back().hash = hash_of(made.back().state);
        seen.soon(made.back().hash);
      });
      if (made.size() < at_once && i + 1 < layer.size()) continue;
      std::erase_if(made, [&](const Made& one) {
        if (!seen.insert(one.hash)) return true;
        good.soon(hash_of(without_faults(one.state)));
        return false;
      });
      for (const auto& [state, hash, origin] : made) {
        origins.push_back(origin);
        const auto at = origins.size() - 1;
        if (const auto fault = fault_of(model, state, good); fault != Fault::none) {
          found(fault, at);
          break;
        }
        if (jobs < max_jobs && state.jobs[static_cast<std::size_t>(jobs)].slurm != Slurm::none) continue;
        next_layer.push_back(state);
        next_numbers.push_back(static_cast<std::uint32_t>(at));
      }
      made.clear();
      if (origins.size() > most_states) found(Fault::too_small, 0);
    }
    layer = std::move(next_layer);
    numbers = std::move(next_numbers);
    next_layer.clear();
    next_numbers.clear();
  }
  result.states = origins.size();
  return result;
}

Explored wander(const Setting& setting, int walks, int longest, std::uint64_t seed) {
  Model model(setting);
  Explored result;
  Seen seen, good;
  std::mt19937_64 random(seed);
  std::vector<State> choices;
  std::vector<StepName> names;
  for (int walk = 0; walk < walks; ++walk) {
    State state = in_order(model.initial());
    std::string history;
    std::vector<std::pair<StepName, State>> way;
    for (int step = 0; step < longest; ++step) {
      choices.clear();
      names.clear();
      model.steps(state, [&](const StepName& name, const State& made) {
        choices.push_back(made);
        names.push_back(name);
      });
      if (choices.empty()) break;
      const auto choice = random() % choices.size();
      ++result.steps;
      result.longest = std::max(result.longest, step + 1);
      way.emplace_back(names[choice], choices[choice]);
      state = in_order(choices[choice]);
      if (seen.insert(hash_of(state))) ++result.states;
      if (state.broken == static_cast<std::uint8_t>(Fault::too_small)) break;
      if (const auto fault = fault_of(model, state, good); fault != Fault::none && fault != Fault::too_small) {
        result.fault = fault;
        for (std::size_t i = 0; i < way.size(); ++i) {
          history += "  " + std::to_string(i + 1) + ". " + model.shown(way[i].first, way[i].second) + "\n";
        }
        if (state.broken == 0) model.fair_end(state, none_is_known, &history);
        result.history = history;
        return result;
      }
    }
  }
  return result;
}

}  // namespace protocol
