#include "reports/accept/evidence.h"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "tests/base/temporary_folder.h"

namespace rv::accept {
namespace {

namespace fs = std::filesystem;

constexpr auto report_text = R"({"kind":"environment","host":"n1","gpus":[]}
{"kind":"measurement","suite":"gemm","name":"gemm_bf16","gpu":{"index":1,"uuid":"GPU-b","model":"NVIDIA H200"},"value":690.5,"spread":1.5,"unit":"TFLOP/s","params":{"n":8192},"verdict":"pass","reason":""}
{"kind":"measurement","suite":"p2p","name":"p2p one way","gpu":{"index":"all","uuid":null,"model":"all ranks"},"value":null,"spread":null,"unit":"GB/s","params":{},"verdict":"odd","reason":"?"}
{"kind":"measurement","suite":"straggler","name":"work per rank","gpu":{"index":"all","uuid":null,"model":"all ranks"},"value":1,"spread":null,"unit":"ms","params":{},"verdict":"fail","reason":"slow: rank 3","rank":3}
{"kind":"result","verdict":"pass"}
{"kind":"measurement","suite":"ge)";

TEST_CASE("a worker's lines become figures; an unknown verdict is an error, and a torn line is ignored") {
  const auto report = parse_worker_report(report_text);
  CHECK(report.environment["host"] == "n1");
  REQUIRE(report.figures.size() == 3);
  CHECK(report.figures[0].gpu_index == 1);
  CHECK(report.figures[0].gpu_uuid == "GPU-b");
  CHECK(report.figures[0].value == 690.5);
  CHECK(report.figures[0].verdict == Verdict::pass);
  CHECK_FALSE(report.figures[0].all_ranks);
  CHECK(report.figures[1].all_ranks);
  CHECK_FALSE(report.figures[1].value.has_value());
  CHECK(report.figures[1].verdict == Verdict::error);
  CHECK(report.figures[2].rank == 3);
  CHECK_FALSE(report.figures[1].rank.has_value());
  CHECK(report.result == Verdict::pass);
  CHECK_FALSE(parse_worker_report("").result.has_value());
}

TEST_CASE("the folders of the nodes are read back, with what has no end yet") {
  const fs::path folder = fs::temp_directory_path() / ("rv-evidence-" + std::to_string(getpid()));
  const auto write = [&](const std::string& name, const std::string& text) {
    fs::create_directories((folder / name).parent_path());
    std::ofstream(folder / name) << text;
  };
  write("n2/steps.jsonl",
        "{\"step\":\"compute\",\"began\":1}\n{\"step\":\"compute\",\"exit_code\":1,\"seconds\":2.5}\n"
        "{\"step\":\"train\",\"began\":2}\n");
  write("n2/compute/rv-compute.n2.7.jsonl", report_text);
  write("n2/compute/err", "one\ntwo\nthree\nfour\nfive\n\n");
  write("n1/steps.jsonl", "");
  const auto nodes = read_evidence(folder);
  fs::remove_all(folder);
  REQUIRE(nodes.size() == 2);
  CHECK(nodes[0].node == "n1");
  CHECK(nodes[0].steps.empty());
  REQUIRE(nodes[1].steps.size() == 2);
  const auto* compute = nodes[1].find("compute");
  REQUIRE(compute != nullptr);
  CHECK(compute->exit_code == 1);
  CHECK(compute->seconds == 2.5);
  CHECK(compute->reports.size() == 1);
  CHECK(compute->last_words == "two\nthree\nfour\nfive");
  CHECK_FALSE(nodes[1].find("train")->exit_code.has_value());
  CHECK(nodes[1].find("ddp") == nullptr);
  CHECK(read_evidence("/nowhere/at/all").empty());
}

}  // namespace
}  // namespace rv::accept

TEST_CASE("a report that is nested without end is a named error, and not the end of rv") {
  for (const std::string open : {"[", "{\"kind\":"}) {
    std::string line;
    for (int i = 0; i < 200'000; ++i) line += open;
    const TemporaryFolder reports;
    reports.write("n1/steps.jsonl", "{\"step\":\"health\"}\n");
    reports.write("n1/health/n1.jsonl", "{\"kind\":\"environment\"}\n" + line + "\n");
    CHECK_THROWS_WITH_AS(
        rv::accept::read_evidence(reports.path()),
        ((reports / "n1/health/n1.jsonl").string() + ": it is nested more than 100 levels deep").c_str(), rv::Error);
  }
}

TEST_CASE("a report that is a pipe is a named error, and does not block") {
  const TemporaryFolder reports;
  reports.write("n1/steps.jsonl", "{\"step\":\"health\"}\n");
  std::filesystem::create_directories(reports / "n1/health");
  REQUIRE(::mkfifo((reports / "n1/health/n1.jsonl").c_str(), 0600) == 0);
  CHECK_THROWS_AS(rv::accept::read_evidence(reports.path()), rv::Error);
}
