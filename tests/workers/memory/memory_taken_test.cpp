#include "workers/memory/memory_taken.h"

#include <doctest/doctest.h>

#include <vector>

using namespace rv;
using namespace rv::workers;

TEST_CASE("the memory that a process took is the value that the driver reports") {
  const std::map<unsigned, std::uint64_t> reported{{7, 5000}, {8, 900}};
  const auto taken = memory_taken(reported, 7, 4000, {10000, 20000}, {5500, 20000});
  CHECK(taken.bytes == 5000);
  CHECK(taken.source == "driver");
}

TEST_CASE("without a value from the driver, it is the decrease of free memory") {
  const AvailableMemory before{10000, 20000}, now{5500, 20000};
  for (const auto& reported : {std::optional<std::map<unsigned, std::uint64_t>>(), {{{8, 5000}}}}) {
    const auto taken = memory_taken(reported, 7, 4000, before, now);
    CHECK(taken.bytes == 4500);
    CHECK(taken.source == "free_memory");
  }
  // A process of another PID namespace that has this one's number.
  CHECK(memory_taken({{{7, 300}}}, 7, 4000, before, now).bytes == 4500);
  CHECK(memory_taken({}, 7, 0, now, before).bytes == 0);
}

TEST_CASE("the kernel reports this process's peak memory") {
  const auto before = host_memory_taken();
  CHECK(before.source == "kernel");
  std::vector<char> large(before.bytes + (32U << 20), 'x');
  CHECK(host_memory_taken().bytes >= before.bytes + (16U << 20));
  CHECK(large.back() == 'x');
}
