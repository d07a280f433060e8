#include "workers/report/report.h"

#include <doctest/doctest.h>

#include <cmath>

#include "workers/ranks/run_ranks.h"

using namespace rv;
using namespace rv::workers;

namespace {

Measurement with(Verdict verdict) {
  Measurement m;
  m.suite = "gemm";
  m.name = "gemm_bf16";
  m.verdict = verdict;
  return m;
}

/// What `write` put into a file.
template <class Write>
std::string written(Write write) {
  auto* const file = std::tmpfile();
  REQUIRE(file != nullptr);
  write(file);
  std::rewind(file);
  std::string text;
  for (int c = 0; (c = std::fgetc(file)) != EOF;) text += static_cast<char>(c);
  std::fclose(file);
  return text;
}

}  // namespace

TEST_CASE("a note follows any verdict") {
  const auto text = written([](auto* file) {
    Report report(file, {});
    auto m = with(Verdict::pass);
    m.params["note"] = "2 of 3 steps were skipped";
    report.add(m);
    m.verdict = Verdict::fail;
    m.reason = "no number";
    report.add(m);
  });
  CHECK(text.find(" pass, 2 of 3 steps were skipped\n") != std::string::npos);
  CHECK(text.find(" fail: no number, 2 of 3 steps were skipped\n") != std::string::npos);
}

TEST_CASE("a verdict's own exit code replaces only its usual one") {
  Report report(nullptr, {});
  report.set_exit_code(Verdict::error, does_not_fit);
  CHECK(report.exit_code_of(Verdict::error, false) == 4);
  CHECK(report.exit_code_of(Verdict::fail, false) == 1);
  CHECK(report.exit_code_of(Verdict::skip, false) == 77);
  // A rank's line names the verdict; one that names none is about a skip.
  add_line(report, {{"kind", "exit"}, {"code", 85}});
  add_line(report, {{"kind", "exit"}, {"verdict", "error"}, {"code", 5}});
  CHECK(report.exit_code_of(Verdict::skip, false) == 85);
  CHECK(report.exit_code_of(Verdict::error, false) == 5);
  CHECK(report.exit_code_of(Verdict::pass, false) == 0);
}

TEST_CASE("a measurement without a judgement is an error") {
  CHECK(Measurement{}.verdict == Verdict::error);
}

TEST_CASE("a measurement is one object with its GPU, figure and verdict") {
  auto m = with(Verdict::pass);
  m.device = {.index = 2, .model = "NVIDIA H200", .uuid = "GPU-1", .pci_bus_id = {}};
  m.value = 750.5;
  m.unit = "TFLOP/s";
  m.params = {{"n", 8192}};
  CHECK(
      to_json(m).dump() ==
      R"({"kind":"measurement","suite":"gemm","name":"gemm_bf16","gpu":{"index":2,"uuid":"GPU-1","model":"NVIDIA H200"},)"
      R"("value":750.5,"spread":null,"unit":"TFLOP/s","params":{"n":8192},"verdict":"pass","reason":"","rank":null})");
}

TEST_CASE("the rank that a reason is about goes with the measurement, and an old report names none") {
  auto m = with(Verdict::fail);
  m.device.index = all_devices;
  m.reason = "rank 3 (host n2) took 9 ms for the same work";
  m.rank = 3;
  auto json = to_json(m);
  CHECK(json["rank"] == 3);
  CHECK(measurement_from_json(json).rank == 3);
  json.erase("rank");
  CHECK_FALSE(measurement_from_json(json).rank.has_value());
  CHECK(measurement_from_json(json).verdict == Verdict::fail);
}

TEST_CASE("a figure that is not a number never passes") {
  const auto text = written([](std::FILE* file) {
    Report report(nullptr, {file});
    auto m = with(Verdict::pass);
    m.value = std::nan("");
    report.add(m);
    CHECK(report.finish() == Verdict::error);
  });
  CHECK(text.find(R"("value":null)") != std::string::npos);
  CHECK(text.find(R"("verdict":"error","reason":"the figure is not a finite number")") != std::string::npos);
}

TEST_CASE("JSON lines go environment, measurements, result") {
  const auto text = written([](std::FILE* file) {
    Report report(nullptr, {file});
    report.environment(Gpus{}, nlohmann::ordered_json{{"quick", true}});
    report.add(with(Verdict::pass));
    report.add(with(Verdict::skip));
    CHECK(report.finish() == Verdict::skip);
    CHECK(report.written());
  });
  std::vector<std::string> kinds;
  nlohmann::json last;
  for (std::size_t begin = 0; begin < text.size();) {
    const auto end = text.find('\n', begin);
    REQUIRE(end != std::string::npos);
    last = nlohmann::json::parse(text.substr(begin, end - begin));
    kinds.push_back(last["kind"]);
    begin = end + 1;
  }
  CHECK(kinds == std::vector<std::string>{"environment", "measurement", "measurement", "result"});
  CHECK(last["seconds"].get<double>() >= 0);
  last.erase("seconds");
  CHECK(last ==
        nlohmann::json{{"kind", "result"}, {"verdict", "skip"}, {"pass", 1}, {"fail", 0}, {"skip", 1}, {"error", 0}});
}

TEST_CASE("people read three sections, and every finding once more at the end") {
  const auto text = written([](std::FILE* file) {
    Report report(file, {});
    report.environment(Gpus{}, nlohmann::ordered_json::object());
    auto m = with(Verdict::fail);
    m.device.index = 1;
    m.device.uuid = "GPU-7";
    m.reason = "12 elements are NaN";
    report.add(m);
    report.finish();
  });
  const auto env = text.find("[ENV]\n"), compute = text.find("[COMPUTE]\n"), result = text.find("[RESULT]\nfail: ");
  CHECK(env == 0);
  CHECK(compute < result);
  REQUIRE(result != std::string::npos);
  CHECK(text.find("gpu 1 GPU-7 gemm_bf16: fail, 12 elements are NaN\n", result) != std::string::npos);
}

TEST_CASE("a report that cannot be written is an error") {
  auto* const full = std::fopen("/dev/full", "w");
  REQUIRE(full != nullptr);
  Report report(nullptr, {full});
  report.add(with(Verdict::pass));
  report.finish();
  CHECK_FALSE(report.written());
  std::fclose(full);
}
