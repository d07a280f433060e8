#include "reports/sweep/ending.h"

#include <doctest/doctest.h>

#include "reports/sweep/memory_message.h"

namespace rv::sweep {

TEST_CASE("ends are distinguished by what is known") {
  const auto kind = [](const EndEvidence& evidence) { return ending(evidence).kind; };
  CHECK(kind({.exit_code = 0}) == EndKind::done);
  CHECK(kind({.exit_code = 1}) == EndKind::failed);
  CHECK(kind({.exit_code = 134}) == EndKind::signalled);
  CHECK(kind({.exit_code = 143, .timed_out = true}) == EndKind::timed_out);
  // A kill with the kernel's count is memory, without it nobody knows: neither is the other.
  CHECK(kind({.exit_code = 137, .oom_kills = 1}) == EndKind::host_out_of_memory);
  CHECK(kind({.exit_code = 137, .oom_kills = 0}) == EndKind::killed);
  CHECK(kind({.exit_code = 137}) == EndKind::killed);
  CHECK(ending({.exit_code = 137}).evidence == "SIGKILL, and no oom_kill counter could be read");
  // A loader's process was killed, and the program ended by itself for it.
  CHECK(kind({.exit_code = 1, .oom_kills = 2}) == EndKind::host_out_of_memory);
  CHECK(kind({.exit_code = 0, .oom_kills = 1}) == EndKind::done);
  CHECK(kind({.exit_code = 9, .out_of_memory_codes = {9}}) == EndKind::gpu_out_of_memory);
}

TEST_CASE("the message of a GPU's memory counts unless the program continued after it") {
  const std::string said = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB";
  CHECK(ending({.exit_code = 1, .memory = MemoryMessage{said}}).kind == EndKind::gpu_out_of_memory);
  CHECK(ending({.exit_code = 0, .memory = MemoryMessage{said}}).kind == EndKind::gpu_out_of_memory);
  CHECK(ending({.exit_code = 0, .memory = MemoryMessage{said}, .went_on_after_message = true}).kind == EndKind::done);
  CHECK(ending({.exit_code = 1, .memory = MemoryMessage{said}}).evidence.find(said) != std::string::npos);
  CHECK(memory_message_in(said).value().text == said);
  CHECK(memory_message_in("RuntimeError: CUDA error: out of memory"));
  const std::string host = "rv-envs: error: out_of_host_memory: 16,000,000 environments need 1000.0 GB";
  CHECK(memory_message_in(host).value().of_host);
  CHECK(ending({.exit_code = 4, .memory = MemoryMessage{host, true}}).kind == EndKind::host_out_of_memory);
  const std::string training =
      "rv-train: error: out_of_memory: a step of --batch-size 65536 needs 9 bytes of GPU memory";
  CHECK(ending({.exit_code = 4, .memory = MemoryMessage{training}}).kind == EndKind::gpu_out_of_memory);
  CHECK(!memory_message_in(training).value().of_host);
  CHECK(!memory_message_in("memory: 12 GiB of 80 GiB used"));
}

TEST_CASE("every kind has a separate word") {
  for (int number = 0; number <= static_cast<int>(EndKind::failed); ++number) {
    const auto kind = static_cast<EndKind>(number);
    CHECK(end_kind_from(to_string(kind)) == kind);
  }
  CHECK(!end_kind_from("well"));
}

}  // namespace rv::sweep
