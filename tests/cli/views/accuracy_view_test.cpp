#include "cli/views/accuracy_view.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

using namespace rv;
using std::chrono::seconds;

namespace {

monitor::ObservedWait observed(int real, std::optional<seconds> p50) {
  monitor::ObservedWait one;
  one.run = "r" + std::to_string(real);
  one.real = seconds(real);
  one.predicted.p50 = p50;
  if (p50) one.predicted.p10 = seconds(0);
  if (p50) one.predicted.p90 = *p50 * 2;
  return one;
}

}  // namespace

TEST_CASE("without any start the view says so and shows no accuracy") {
  CHECK(cli::accuracy_text({}).find("None of your runs has started yet") != std::string::npos);
  const auto document = cli::accuracy_json({});
  CHECK(document["runs"] == 0);
  CHECK(document["median_error_s"].is_null());
}

TEST_CASE("runs without a prediction have no figures") {
  const auto text = cli::accuracy_text({observed(100, std::nullopt)});
  CHECK(text.find("runs started            1") != std::string::npos);
  CHECK(text.find("median") == std::string::npos);
  CHECK(cli::accuracy_json({observed(100, std::nullopt)})["within_1_min"].is_null());
}

TEST_CASE("the figures, in units that can be read") {
  const std::vector<monitor::ObservedWait> list{observed(100, seconds(70)), observed(9'000, seconds(800)),
                                                observed(1, std::nullopt)};
  const auto text = cli::accuracy_text(list);
  CHECK(text.find("runs started            3") != std::string::npos);
  CHECK(text.find("with a predicted wait   2") != std::string::npos);
  CHECK(text.find("median error            2.3 h") != std::string::npos);
  CHECK(text.find("within 1 minute         50 %") != std::string::npos);
  CHECK(text.find("P10 to P90, +-1 minute  50 %") != std::string::npos);
  const auto document = cli::accuracy_json(list);
  CHECK(document["runs"] == 3);
  CHECK(document["predicted"] == 2);
  CHECK(document["within_10_min"] == 0.5);
  CHECK(document["observed"].size() == 3);
  CHECK(document["observed"][2]["p50_s"].is_null());
}
