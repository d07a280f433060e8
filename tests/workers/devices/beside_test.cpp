#include <doctest/doctest.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>

#include "workers/devices/other_program.h"
#include "workers/network/iperf3.h"
#include "workers/storage/fio.h"

namespace rv::workers {

TEST_CASE("fio's figures come from its JSON, a write's over the time with its fsync") {
  const std::string note = "note: both iodepth >= 1 and synchronous I/O engine are selected\n";
  const std::string document =
      R"({"fio version":"fio-3.33","jobs":[{"jobname":"x","job_runtime":500,
          "read":{"io_bytes":1000000000,"runtime":250,"iops":12.5},
          "write":{"io_bytes":1000000000,"runtime":100,"iops":99.0}}]})";
  const auto write = read_fio(note + document, true);
  REQUIRE(write);
  CHECK(write->gigabytes_a_second == doctest::Approx(2));
  const auto read = read_fio(document, false);
  REQUIRE(read);
  CHECK(read->gigabytes_a_second == doctest::Approx(4));
  CHECK(read->operations_a_second == doctest::Approx(12.5));
  for (const auto* const text : {"", "fio: x", "{", "{}", "[]", R"({"jobs":[]})", R"({"jobs":[{"write":7}]})",
                                 R"({"jobs":[{"job_runtime":0,"write":{"io_bytes":1,"runtime":0,"iops":0}}]})"}) {
    CAPTURE(text);
    CHECK_FALSE(read_fio(text, true));
  }
}

TEST_CASE("iperf3's figure is the receiver's; an error is none") {
  const auto value =
      read_iperf3(R"({"end":{"sum_sent":{"bits_per_second":9e9},"sum_received":{"bits_per_second":8e9}}})");
  REQUIRE(value);
  CHECK(*value == doctest::Approx(1));
  CHECK_FALSE(read_iperf3(R"({"error":"unable to connect to server: Connection refused","end":{}})"));
  CHECK_FALSE(read_iperf3(R"({"end":{"sum_received":{"bits_per_second":0}}})"));
  CHECK_FALSE(read_iperf3(""));
}

TEST_CASE("another program has its time, and what it says counts only where it ends well") {
  const auto shell = program_in_path("sh");
  REQUIRE_FALSE(shell.empty());
  CHECK(output_of({shell, "-c", "echo it; echo not >&2"}, 10) == "it\n");
  CHECK_FALSE(output_of({shell, "-c", "echo it; exit 3"}, 10));
  CHECK_FALSE(output_of({"/nowhere/at/all"}, 10));
  const auto begun = std::chrono::steady_clock::now();
  CHECK_FALSE(output_of({shell, "-c", "exec sleep 60"}, 0.2));
  CHECK(std::chrono::steady_clock::now() - begun < std::chrono::seconds(20));
  CHECK(program_in_path("no-such-program-anywhere").empty());
}

}  // namespace rv::workers
