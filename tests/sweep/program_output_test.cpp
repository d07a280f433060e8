#include "reports/sweep/program_output.h"

#include <doctest/doctest.h>

namespace rv::sweep {
namespace {

ProgramOutput rates() {
  return ProgramOutput({parse_metric("rate= ([0-9.]+)it/s")});
}

}  // namespace

TEST_CASE("each state of a progress bar has a value of its own") {
  auto output = rates();
  output.read("\r 1/5 10.0it/s\r 2/5 20.0it/s\r 3/5 30.0it/s\r 4/5 40.0it/s\r 5/5 50.0it/s");
  CHECK(output.metrics().at("rate").values == std::vector<double>{10, 20, 30, 40, 50});
  CHECK(output.metrics().at("rate").last() == 50);
}

TEST_CASE("lines that end as on Windows have one state") {
  auto output = rates();
  output.read(" 10.0it/s\r");
  CHECK(output.metrics().at("rate").values == std::vector<double>{10});
}

TEST_CASE("figures after a message about memory, also within one line") {
  auto output = rates();
  output.read("10% 1.0it/s\rCUDA out of memory. Tried to allocate 2 GiB");
  CHECK(output.memory().value().text == "CUDA out of memory. Tried to allocate 2 GiB");
  CHECK(!output.went_on_after_message());
  output.read("20% 2.0it/s");
  CHECK(output.went_on_after_message());
  output.read("CUDA out of memory\r30% 3.0it/s");
  CHECK(output.went_on_after_message());
}

}  // namespace rv::sweep
