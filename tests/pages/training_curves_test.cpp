#include "reports/pages/training_curves.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

namespace rv::pages {

using Json = nlohmann::ordered_json;

TEST_CASE("results.json becomes loss and samples a second by step, power and clocks by second") {
  const auto training = training_of_results({{"model", "resnet50"},
                                             {"global_batch_size", 64},
                                             {"total_samples", 256},
                                             {"losses", {7, 6, 5, 4, nullptr, 3}},
                                             {"step_seconds", {0.1, 0.2}},
                                             {"load",
                                              {{"seconds", {0, 0.5}},
                                               {"power_w", {300, nullptr}},
                                               {"clock_sm_mhz", {1980, 1755}},
                                               {"temperature_c", Json::array()}}}});
  REQUIRE(training);
  CHECK(training->name == "resnet50");
  CHECK(training->losses == Points{{1, 7}, {2, 6}, {3, 5}, {4, 4}, {6, 3}});  // the fifth is not known
  CHECK(training->pace == Points{{2, 640}, {4, 320}});  // four steps were timed, two and two together
  CHECK(training->power == Points{{0, 300}});
  CHECK(training->clock == Points{{0, 1980}, {0.5, 1755}});
  const auto html = training_html({*training});
  for (const char* const title : {"<h3>Loss</h3>", "<h3>Throughput</h3>", "<h3>Power", "<h3>SM clock"}) {
    CHECK_MESSAGE(html.find(title) != std::string::npos, title);
  }
  CHECK(html.find("<h3>Temperature") == std::string::npos);
}

TEST_CASE("a model in a report has samples a second, and the seconds until then that its GPU was throttled") {
  const auto training = training_of_params({{"losses", {7, 6, 5, 4, 3, 2}},
                                            {"steps", 6},
                                            {"timed_steps", 4},
                                            {"samples_per_step", 64},
                                            {"step_milliseconds", {100, 200}},
                                            {"load", {{"seconds", {0, 0.5, 1}}, {"throttled_s", {0, 0, 0.5}}}}});
  REQUIRE(training);
  CHECK(training->samples);
  CHECK(training->pace == Points{{2, 640}, {4, 320}});
  CHECK(training->losses.back() == std::pair(6.0, 2.0));
  CHECK(training->throttled == Points{{0, 0}, {0.5, 0}, {1, 0.5}});
  const auto html = training_html({*training});
  CHECK(html.find("<h3>Throughput</h3>") != std::string::npos);
  CHECK(html.find("<h3>Throttled") != std::string::npos);
}

TEST_CASE("a long training has a limited number of points, each the mean of neighbours") {
  Json losses = Json::array();
  for (int i = 0; i < 10000; ++i) losses.push_back(i % 2);
  const auto training = training_of_results({{"model", "m"}, {"losses", losses}});
  REQUIRE(training);
  CHECK(training->losses.size() <= 400);
  CHECK(training->losses.back().first == 10000);
  CHECK(training->losses.front().second == doctest::Approx(0.5).epsilon(0.1));
}

TEST_CASE("a document that is not from a training has no curves") {
  for (const Json& json : {Json(), Json(3), Json::array(), Json{{"model", 3}, {"losses", {1}}}, Json{{"losses", {1}}},
                           Json{{"model", "m"}, {"losses", "no"}}, Json{{"model", "m"}, {"losses", Json::array()}}}) {
    CHECK_FALSE(training_of_results(json));
  }
  CHECK_FALSE(training_of_params({{"first_epoch_loss", 1}}));
  CHECK(training_html({}).empty());
}

}  // namespace rv::pages
