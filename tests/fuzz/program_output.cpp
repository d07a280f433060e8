// Reads what a user's program prints, as rv why, a sweep and rv stress do.
#include "reports/sweep/program_output.h"

#include "base/failures/log_failures.h"
#include "base/failures/xid.h"
#include "reports/stress/message_class.h"
#include "tests/fuzz/target.h"

using namespace rv;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = fuzz::text_of(data, size);
  std::vector<std::string> lines;
  for (auto left = text; !left.empty();) {
    const auto line = left.substr(0, left.find('\n'));
    lines.emplace_back(line);
    left.remove_prefix(std::min(line.size() + 1, left.size()));
  }
  failures::failures_in(lines, 1);
  failures::failures_in(lines, std::nullopt);
  for (const auto& error : failures::python_errors_in(lines)) failures::describe(error);
  sweep::ProgramOutput output({sweep::parse_metric("loss=loss ([0-9.]+)")});
  for (const auto& line : lines) {
    output.read(line);
    output.read_json(line);
    failures::device_fault_in(line);
  }
  for (const auto& [name, metric] : output.metrics()) metric.typical();
  static const auto table = stress::message_table({});
  stress::classify(text, table);
  return 0;
}
