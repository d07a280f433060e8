#include "reports/stress/message_class.h"

#include <doctest/doctest.h>

namespace rv::stress {
namespace {

std::string class_of(const std::string& line, const std::map<std::string, std::vector<std::string>>& more = {}) {
  const auto messages = classify(line, message_table(more));
  return messages.empty() ? "" : std::string(to_string(messages.front().kind));
}

TEST_CASE("the messages that the launcher's authors name") {
  CHECK(class_of("🎮 Using GPUs: [0, 1, 2, 3]") == "good");
  CHECK(class_of("🔍 GPU Setup Validation:") == "good");
  CHECK(class_of("CUDA_VISIBLE_DEVICES: 0,1,2,3") == "good");
  CHECK(class_of("✅ GPU validation successful") == "good");
  CHECK(class_of("⚠️ No GPUs detected - falling back to CPU mode") == "warning");
  CHECK(class_of("ValueError: Cannot close a process while it is still running") == "warning");
  CHECK(class_of("torch.OutOfMemoryError: CUDA out of memory") == "warning");
  CHECK(class_of("Failed to allocate GPU resources") == "critical");
  CHECK(class_of("Process cleanup failed") == "critical");
  CHECK(class_of("GPU allocation deadlock detected") == "critical");
  CHECK(class_of("epoch 3 of 10") == "");
}

TEST_CASE("an error of CUDA is critical unless it is one of memory") {
  CHECK(class_of("RuntimeError: CUDA error: an illegal memory access was encountered") == "critical");
  CHECK(class_of("RuntimeError: CUDA error: out of memory") == "warning");
}

TEST_CASE("failures have the same classes as in rv why") {
  CHECK(class_of("Warp CUDA error 2: out of memory (in function alloc_device_async)") == "warning");
  CHECK(class_of("torch.OutOfMemoryError: HIP out of memory. Tried to allocate 124.00 MiB") == "warning");
  CHECK(class_of("RuntimeError: No CUDA GPUs are available") == "warning");
  CHECK(class_of("NVRM: Xid (PCI:0000:3b:00): 79, GPU has fallen off the bus.") == "critical");
  CHECK(class_of("NVRM: Xid (PCI:0000:3b:00): 63, Row remapper") == "");
  CHECK(class_of("torch.distributed.DistBackendError: NCCL error in: x") == "critical");
  CHECK(class_of("RuntimeError: The NVIDIA driver on your system is too old (found version 11040)") == "critical");
}

TEST_CASE("a site's messages are added") {
  CHECK(class_of("Licence server lost") == "");
  CHECK(class_of("Licence server lost", {{"critical", {"LICENCE server"}}}) == "critical");
}

TEST_CASE("lines are numbered, and have no colours") {
  const auto messages = classify("a\n\x1b[31mNo GPUs detected\x1b[0m\r\nb\nUsing GPUs: 1", message_table({}));
  REQUIRE(messages.size() == 2);
  CHECK(messages[0].line == 2);
  CHECK(messages[0].text == "No GPUs detected");
  CHECK(messages[1].line == 4);
}

}  // namespace
}  // namespace rv::stress
