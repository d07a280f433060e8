#include "slurm/parse/gres_text.h"

#include <algorithm>

#include "slurm/parse/field.h"

namespace rv::slurm {
namespace {

struct GpuEntry {
  std::string type;
  int count = 0;
};

// "gpu:a100:8(S:0-1)" → a100, 8; "gpu:8" and "gpu:(null):8(IDX:0-7)" → "", 8; anything that is no GPU → count -1.
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
  for (const auto part : split_outside_brackets(used, ',')) {
    const auto entry = parse_gpu_entry(part);
    if (entry.count <= 0) continue;
    auto pool = pool_of(entry.type);
    // Configured without a type and used with one, or the other way: taken all the same.
    if (pool == pools.end()) pool = pools.begin();
    if (pool != pools.end()) pool->used += entry.count;
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
      tres[std::string(name)] = *number;
    }
  }
  return tres;
}

}  // namespace rv::slurm
