#pragma once

#include <cstdint>

#include "workers/devices/random_input.h"

namespace rv::workers {

enum class Collective { all_reduce, all_gather, reduce_scatter, broadcast, alltoall, sendrecv };

/// The values of the elements in a check: integers that the type represents exactly, also after adding those of all
/// ranks. The right sum then has one bit pattern, in whatever order it is added.
struct Values {
  int world = 1;
  std::uint64_t limit = 1;  ///< elements are integers from 0 to limit
  /// if there are more ranks than the type can add up: only one element in `every` is 1, the others are 0
  std::uint64_t every = 1;
};

/// The values for `world` ranks. The type represents the integers 0 to `exact` exactly. A copy uses all of them; for a
/// sum (`summed`) each rank uses 1/world of them.
constexpr Values values_for(int world, std::uint64_t exact, bool summed) {
  const auto ranks = static_cast<std::uint64_t>(world);
  if (!summed) return {world, exact, 1};
  if (exact / ranks >= 1) return {world, exact / ranks, 1};
  return {world, 1, (ranks + exact - 1) / exact};
}

/// Element `index` of the data that rank `rank` sends.
constexpr std::uint64_t sent_value(const Values& values, int rank, std::uint64_t index) {
  const auto who = static_cast<std::uint64_t>(rank);
  if (values.every > 1) return (index + who) % values.every == 0 ? 1 : 0;
  return scramble(scramble(who + 1) ^ index) % (values.limit + 1);
}

/// Element `index` of the data that rank `rank` must have received. `part` is the number of elements that one rank
/// sends to or receives from another (the whole count for all_reduce, broadcast and sendrecv). sendrecv is a ring: rank
/// r receives from rank r - 1.
constexpr std::uint64_t received_value(Collective collective, const Values& values, int rank, int root,
                                       std::uint64_t part, std::uint64_t index) {
  const auto mine = static_cast<std::uint64_t>(rank) * part;
  switch (collective) {
    case Collective::all_gather:
      return sent_value(values, static_cast<int>(index / part), index % part);
    case Collective::alltoall:
      return sent_value(values, static_cast<int>(index / part), mine + index % part);
    case Collective::broadcast:
      return sent_value(values, root, index);
    case Collective::sendrecv:
      return sent_value(values, (rank + values.world - 1) % values.world, index);
    case Collective::all_reduce:
    case Collective::reduce_scatter:
      break;
  }
  const auto place = collective == Collective::reduce_scatter ? mine + index : index;
  std::uint64_t sum = 0;
  for (int other = 0; other < values.world; ++other) sum += sent_value(values, other, place);
  return sum;
}

}  // namespace rv::workers
