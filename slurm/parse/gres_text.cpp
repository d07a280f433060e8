#include "slurm/parse/gres_text.h"

#include <algorithm>
#include <optional>
#include <set>

#include "slurm/parse/field.h"

namespace rv::slurm {
namespace {

constexpr int most_gpus = 1024;  // of a node: a broken range must not fill the memory

struct GpuEntry {
  std::string type;
  int count = 0;
};

// "gpu:a100:8(S:0-1)" → a100, 8; "gpu:8" and "gpu:(null):8(IDX:0-7)" → "", 8; anything that is not a GPU → count -1.
GpuEntry parse_gpu_entry(std::string_view text) {
  if (text.ends_with(')')) text = text.substr(0, text.rfind('('));
  if (text.starts_with("gres/") || text.starts_with("gres:")) text.remove_prefix(5);
  const auto parts = split(text, ':');
  if (parts.front() != "gpu") return {"", -1};
  if (parts.size() == 1) return {"", 1};
  const auto count = parse_number(parts.back());
  // "gpu:a100" without a count means one
  if (!count) return {std::string(parts[1]), 1};
  const bool typed = parts.size() > 2 && !is_nothing(parts[1]);
  return {typed ? std::string(parts[1]) : "", static_cast<int>(*count)};
}

// "gpu:a100:3(IDX:0,2-3)" → 0 2 3; none where it says N/A.
std::set<int> indices_in(std::string_view text) {
  constexpr std::string_view before = "(IDX:";
  const auto begin = text.find(before);
  if (begin == std::string_view::npos || !text.ends_with(')')) return {};
  text = text.substr(begin + before.size(), text.size() - begin - before.size() - 1);
  std::set<int> indices;
  for (const auto part : split(text, ',')) {
    const auto dash = part.find('-');
    const auto first = parse_number(part.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : parse_number(part.substr(dash + 1));
    if (!first || !last || *last - *first > most_gpus) continue;
    for (auto i = *first; i <= *last; ++i) indices.insert(static_cast<int>(i));
  }
  return indices;
}

struct SharedUse {
  std::string type;
  std::set<int> gpus;  // by index
};

// "shard:a100:1(IDX:0)" or "shard:a100:3(3/4,0/4)", where the GPUs stand in order; mps likewise.
std::optional<SharedUse> shared_use(std::string_view text) {
  const auto parts = split(text.substr(0, text.find('(')), ':');
  if ((parts.front() != "shard" && parts.front() != "mps") || !text.ends_with(')')) return std::nullopt;
  SharedUse use{parts.size() > 2 && !is_nothing(parts[1]) ? std::string(parts[1]) : "", indices_in(text)};
  const auto shares = text.substr(text.find('(') + 1, text.size() - text.find('(') - 2);
  int index = 0;
  for (const auto share : split(shares, ',')) {
    const auto slash = share.find('/');
    if (slash == std::string_view::npos) break;
    if (parse_number(share.substr(0, slash)).value_or(0) > 0) use.gpus.insert(index);
    ++index;
  }
  return use;
}

}  // namespace

std::vector<planner::GpuPool> parse_gpu_pools(std::string_view gres, std::string_view used) {
  std::vector<planner::GpuPool> pools;
  const auto pool_of = [&](const std::string& type) {
    return std::find_if(pools.begin(), pools.end(), [&](const auto& pool) { return pool.type == type; });
  };
  for (const auto part : split_outside_brackets(gres, ',')) {
    const auto entry = parse_gpu_entry(part);
    if (entry.count <= 0) continue;
    if (const auto pool = pool_of(entry.type); pool != pools.end()) {
      pool->total += entry.count;  // the same type on two sockets is listed twice
    } else {
      pools.push_back({entry.type, entry.count, 0});
    }
  }
  std::set<int> in_use;
  for (const auto part : split_outside_brackets(used, ',')) {
    const auto entry = parse_gpu_entry(part);
    if (entry.count <= 0) continue;
    in_use.merge(indices_in(part));
    auto pool = pool_of(entry.type);
    // Configured without a type and used with one, or the other way round: counted as used anyway.
    if (pool == pools.end()) pool = pools.begin();
    if (pool != pools.end()) pool->used += entry.count;
  }
  for (const auto part : split_outside_brackets(used, ',')) {
    const auto shared = shared_use(part);
    if (!shared) continue;
    auto pool = pool_of(shared->type);
    if (pool == pools.end()) pool = pools.begin();
    if (pool == pools.end()) continue;
    for (const int gpu : shared->gpus) {
      if (in_use.insert(gpu).second) pool->used = std::min(pool->used + 1, pool->total);
    }
  }
  return pools;
}

planner::Tres parse_tres(std::string_view text) {
  planner::Tres tres;
  if (is_nothing(text)) return tres;
  for (const auto part : split_outside_brackets(text, ',')) {
    const auto equals = part.find('=');
    if (equals == std::string_view::npos) continue;
    const auto name = part.substr(0, equals);
    const auto value = part.substr(equals + 1);
    if (name == "mem") {
      if (const auto memory = parse_memory_field(value)) tres["mem"] = memory->count;
    } else if (const auto number = parse_number(value)) {
      tres[name] = *number;
    }
  }
  return tres;
}

}  // namespace rv::slurm
