#include "cli/map/task_slots.h"

#include <doctest/doctest.h>

namespace rv::cli {
namespace {

std::string slots(const monitor::TaskList& list, std::string_view visible, int cpus = 8) {
  std::string text;
  for (const auto& slot : task_slots(list, visible, cpus)) text.append("[").append(slot.gpus).append("]");
  return text;
}

}  // namespace

TEST_CASE("each slot has GPUs of its own, or a share of one") {
  monitor::TaskList list;
  CHECK(slots(list, "0,1,2") == "[0][1][2]");
  CHECK(slots(list, "MIG-1,GPU-2") == "[MIG-1][GPU-2]");
  list.per_gpu = 2;
  CHECK(slots(list, "4,7") == "[4][7][4][7]");
  list.per_gpu = 1;
  list.gpus_per_task = 2;
  CHECK(slots(list, "0,1,2,3,4") == "[0,1][2,3]");
  CHECK(slots(list, "0").empty());
  CHECK(slots(list, "").empty());
}

TEST_CASE("without GPUs the CPUs are divided") {
  monitor::TaskList list;
  list.gpus_per_task = 0;
  CHECK(slots(list, "0,1", 3) == "[][][]");
  list.cpus_per_task = 3;
  CHECK(slots(list, "", 8) == "[][]");
  CHECK(slots(list, "", 2).empty());
}

}  // namespace rv::cli
