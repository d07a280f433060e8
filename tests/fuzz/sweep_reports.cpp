// Reads the files of a sweep that a host sent, and makes the tables and the page of them. The input is a point's result
// and its samples; a NUL byte ends each.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/documents/parse_document.h"
#include "reports/sweep/combined_csv.h"
#include "reports/sweep/page.h"
#include "tests/fuzz/target.h"

using namespace rv;
using namespace rv::sweep;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  auto text = fuzz::text_of(data, size);
  fuzz::read_or_refuse([&] { order_from_json(std::string(text), "sweep.json"); });
  const auto first = text.substr(0, text.find('\0'));
  text.remove_prefix(std::min(first.size() + 1, text.size()));
  const SampleTable table(text);
  summarize({table, table, table, table}, std::string(text));
  Sweep sweep;
  sweep.order.axes = {{"n", {"1", "2"}}};
  try {
    sweep.results.push_back(point_result_from_json(parse_json_or_discard<nlohmann::ordered_json>(first)));
  } catch (const nlohmann::json::exception&) {
    return 0;
  } catch (const std::out_of_range&) {
    return 0;
  }
  if (sweep.results.front().point.settings.count("n") == 0) return 0;  // as ReportFolder::results() checks
  fuzz::read_or_refuse([&] {
    const auto& result = sweep.results.front();
    combined_csv(sweep.order, sweep.results, curves_of(sweep.order, sweep.results));
    summary_text(result);
    if (page(sweep, {{&result, {table, table, table, table}}}, "", "ann").find("<script>alert") != std::string::npos) {
      throw std::logic_error("a script in the page");
    }
    compare(sweep, sweep);
  });
  return 0;
}
