#include "reports/accept/judgement.h"

#include <doctest/doctest.h>

#include "reports/accept/completeness.h"
#include "tests/accept/evidence_builder.h"

namespace rv::accept {
namespace {

Baseline bf16(double value, double at_least = 0.9) {
  Baseline baseline;
  baseline.key.gpu = "NVIDIA H200";
  baseline.key.figure = "gemm_bf16";
  baseline.value = value;
  baseline.unit = "TFLOP/s";
  baseline.at_least = at_least;
  baseline.source = "measured";
  return baseline;
}

std::string all_words(const Judgement& judgement) {
  std::string text;
  for (const auto& finding : judgement.findings) {
    text += std::string(to_string(finding.verdict)) + " " + to_string(finding.subject) + ": " + finding.what + "\n";
  }
  return text;
}

TEST_CASE("the verdict is pass only if all requested steps ran and passed") {
  const auto good = judge(compute_order(), {four_gpus({690, 695, 700, 692})}, {}, false);
  CHECK(good.verdict == Verdict::pass);
  CHECK(good.findings.empty());
  CHECK(good.suites_passed == std::vector<std::string>{"compute"});

  CHECK(judge(compute_order(), {}, {}, false).verdict == Verdict::error);
  CHECK(judge(compute_order(2), {four_gpus({690, 695, 700, 692})}, {}, false).verdict == Verdict::error);
}

TEST_CASE("a GPU below its baseline is named with ratio and advice") {
  const auto judged = judge(compute_order(), {four_gpus({690, 600, 695, 700})}, {bf16(690, 0.9)}, false);
  CHECK(judged.verdict == Verdict::fail);
  REQUIRE(judged.findings.size() == 1);
  CHECK(judged.findings[0].subject.gpu_uuid == "GPU-1");
  CHECK(judged.findings[0].what.find("0.87 of the baseline 690") != std::string::npos);
  CHECK_FALSE(judged.findings[0].advice.empty());
  CHECK(judged.figures[1].ratio.value() == doctest::Approx(600.0 / 690));
  CHECK(judged.figures[1].verdict == Verdict::fail);
  CHECK(judged.figures[0].verdict == Verdict::pass);
  CHECK(judged.suites_passed.empty());
}

TEST_CASE("without a baseline the outlier among equals is named") {
  const auto judged = judge(compute_order(), {four_gpus({690, 695, 350, 700})}, {}, false);
  CHECK(judged.verdict == Verdict::fail);
  REQUIRE(judged.findings.size() == 1);
  CHECK(judged.findings[0].subject.gpu_index == 2);
}

TEST_CASE("a GPU without memory is an error with its own way out") {
  auto evidence = four_gpus({690, 695, 700, 692});
  auto& figure = evidence.steps[0].reports[0].figures[2];
  figure.verdict = Verdict::error;
  figure.value.reset();
  figure.reason = "out_of_memory: allocate GPU memory";
  figure.params["cause"] = "out_of_memory";
  const auto judged = judge(compute_order(), {evidence}, {}, false);
  CHECK(judged.verdict == Verdict::error);
  REQUIRE(judged.findings.size() == 1);
  CHECK(judged.findings[0].subject.gpu_index == 2);
  CHECK(judged.findings[0].advice.find("another process uses the memory") != std::string::npos);
}

TEST_CASE("a missing library is reported once, and its suite does not pass although one figure did") {
  auto evidence = four_gpus({690, 695, 700, 692});
  auto& figures = evidence.steps[0].reports[0].figures;
  figures[2].verdict = Verdict::error;
  figures[2].value.reset();
  figures[2].reason = "cannot load libcublasLt.so.13 (no such file), which is needed to multiply on a GPU";
  figures[2].params["cause"] = "missing_library";
  figures.push_back(figures[2]);
  figures.back().name = "exact_bf16";
  const auto judged = judge(compute_order(), {evidence}, {}, false);
  CHECK(judged.verdict == Verdict::error);
  REQUIRE(judged.findings.size() == 1);
  CHECK(judged.findings[0].what ==
        "cannot load libcublasLt.so.13 (no such file), which is needed to multiply on a GPU");
  CHECK(judged.findings[0].advice.find("LD_LIBRARY_PATH") != std::string::npos);
  CHECK(judged.suites_passed.empty());
}

TEST_CASE("workers without CUDA are distinguished from a node without a driver") {
  auto evidence = four_gpus({690, 695, 700, 692});
  auto& figure = evidence.steps[0].reports[0].figures[2];
  figure.verdict = Verdict::error;
  figure.value.reset();
  figure.reason = "no_cuda_build";
  const auto judged = judge(compute_order(), {evidence}, {}, false);
  REQUIRE(judged.findings.size() == 1);
  CHECK(judged.findings[0].advice.find("with nvcc") != std::string::npos);
}

TEST_CASE("a node that shows no GPU is not a lost GPU, and what is found before and after is one finding") {
  Order order{.nodes = 1, .gpus_per_node = 1, .full = false, .device = "auto", .suites = {Suite::health}};
  auto gpu = gpu_figure(0, "gpu", 0);
  gpu.suite = "device";
  gpu.gpu_index.reset();
  gpu.value.reset();
  gpu.verdict = Verdict::skip;
  gpu.reason = "no_gpu";
  const NodeEvidence none{.node = "n1", .steps = {step_done("health-before", {gpu}), step_done("health-after", {gpu})}};
  auto judged = judge(order, {none}, {}, false);
  REQUIRE(judged.findings.size() == 1);
  CHECK(judged.findings[0].advice.starts_with("check that the driver is loaded"));
  gpu.suite = "health";
  gpu.verdict = Verdict::fail;
  gpu.reason = "this GPU is missing; the earlier report has it";
  judged = judge(order, {{.node = "n1", .steps = {step_done("health-after", {gpu})}}}, {}, false);
  REQUIRE(!judged.findings.empty());
  CHECK(judged.findings[0].advice.starts_with("the GPU has fallen off the bus"));
}

TEST_CASE("a figure that is not a number never passes a baseline") {
  auto evidence = four_gpus({690, 695, 700, 692});
  evidence.steps[0].reports[0].figures[3].value = 0;
  const auto judged = judge(compute_order(), {evidence}, {bf16(690)}, false);
  CHECK(judged.verdict == Verdict::fail);
}

TEST_CASE("a step that did not run or end, was killed or left no result is an error with that reason") {
  auto never_ran = four_gpus({690, 695, 700, 692});
  never_ran.steps.pop_back();
  CHECK(all_words(judge(compute_order(), {never_ran}, {}, false)) == "error n1: compute-link did not start\n");

  auto never_ended = four_gpus({690, 695, 700, 692});
  never_ended.steps[0].exit_code.reset();
  CHECK(judge(compute_order(), {never_ended}, {}, false).verdict == Verdict::error);

  for (const auto& [code, words] : {std::pair{124, "took more than its 180 s"},
                                    {127, "could not be started (rv-compute"},
                                    {139, "ended by signal 11"},
                                    {3, "ended with exit code 3 and without a result"}}) {
    auto broken = four_gpus({690, 695, 700, 692});
    broken.steps[0].exit_code = code;
    broken.steps[0].reports[0].result.reset();
    broken.steps[0].last_words = "the driver is gone";
    const auto judged = judge(compute_order(), {broken}, {}, false);
    CHECK(judged.verdict == Verdict::error);
    CHECK(all_words(judged).find(words) != std::string::npos);
    CHECK(all_words(judged).find("the driver is gone") != std::string::npos);
  }
}

TEST_CASE("a suite does not pass if one of its steps has a result that no figure explains") {
  const std::vector<std::pair<Verdict, Verdict>> results = {{Verdict::error, Verdict::error},
                                                            {Verdict::fail, Verdict::error},
                                                            {Verdict::pass, Verdict::error},
                                                            {Verdict::skip, Verdict::skip}};
  for (const auto& [result, verdict] : results) {
    auto empty = four_gpus({690, 695, 700, 692});
    empty.steps[1].reports[0].figures.clear();
    empty.steps[1].reports[0].result = result;
    const auto judged = judge(compute_order(), {empty}, {}, false);
    CHECK(judged.verdict == verdict);
    CHECK(judged.suites_passed.empty());
    const auto name = std::string(to_string(result));
    CHECK(all_words(judged) == std::string(to_string(verdict)) +
                                   " n1: compute-link measured nothing; its worker's result is " + name + "\n");
  }
}

TEST_CASE("a worker's error is not lost with the lines that would explain it") {
  auto torn = four_gpus({690, 695, 700, 692});
  torn.steps[0].reports[0].result = Verdict::error;
  const auto judged = judge(compute_order(), {torn}, {}, false);
  CHECK(judged.verdict == Verdict::error);
  CHECK(all_words(judged) == "error n1: compute: its worker's result is error, but none of its figures shows why\n");
  // A failed figure outranks an error, so it explains the result.
  torn.steps[0].reports[0].figures[1].verdict = Verdict::fail;
  torn.steps[0].reports[0].figures[1].reason = "wrong elements";
  CHECK(judge(compute_order(), {torn}, {}, false).verdict == Verdict::fail);
}

TEST_CASE("one report has the figures of ranks that meet") {
  Order order{.nodes = 2, .gpus_per_node = 1, .full = false, .device = "cpu", .suites = {Suite::ddp}};
  const auto step = steps_of(order).front().name;
  const auto first = four_gpus({690, 695, 700, 692}).steps[0];
  StepEvidence measured = first;
  measured.step = step;
  StepEvidence other = measured;
  other.reports[0].figures.clear();
  other.reports[0].result = Verdict::pass;
  CHECK(find_gaps(order, {{.node = "n1", .steps = {measured}}, {.node = "n2", .steps = {other}}}).empty());
  other.reports[0].result = Verdict::error;
  CHECK(find_gaps(order, {{.node = "n1", .steps = {measured}}, {.node = "n2", .steps = {other}}}).size() == 1);
}

TEST_CASE("a suite of which a step is missing is not listed as passed") {
  auto never_ran = four_gpus({690, 695, 700, 692});
  never_ran.steps.pop_back();
  CHECK(judge(compute_order(), {never_ran}, {}, false).suites_passed.empty());
}

TEST_CASE("of ranks that meet, one node reports for all") {
  Order order{.nodes = 2, .gpus_per_node = 1, .full = false, .device = "cpu", .suites = {Suite::ddp}};
  REQUIRE(steps_of(order).size() == 1);
  Figure loss;
  loss.suite = "ddp";
  loss.name = "ddp_train";
  loss.all_ranks = true;
  loss.params = nlohmann::ordered_json::object();
  loss.verdict = Verdict::pass;
  NodeEvidence first{.node = "n1", .steps = {step_done("ddp-all-nodes", {loss})}};
  NodeEvidence second{.node = "n2", .steps = {step_done("ddp-all-nodes", {})}};
  second.steps[0].reports.clear();
  first.steps[0].reports[0].environment = {
      {"ranks", {{{"rank", 0}, {"uuid", "GPU-a"}}, {{"rank", 1}, {"uuid", "GPU-b"}}}}};
  const auto judged = judge(order, {first, second}, {}, false);
  CHECK(judged.verdict == Verdict::pass);
  CHECK(judged.nodes == std::set<std::string>{"n1", "n2"});
  CHECK(judged.gpus == std::set<std::string>{"GPU-a", "GPU-b"});
  second.steps[0].exit_code = 137;
  CHECK(all_words(judge(order, {first, second}, {}, false)).find("n2: ddp-all-nodes took more") != std::string::npos);
}

TEST_CASE("a finding about ranks names the one that is meant, with its GPU") {
  Order order{.nodes = 1, .gpus_per_node = 4, .full = false, .device = "auto", .suites = {Suite::p2p}};
  Figure pairs;
  pairs.suite = "p2p";
  pairs.name = "p2p one way";
  pairs.all_ranks = true;
  pairs.params = nlohmann::ordered_json::object();
  pairs.verdict = Verdict::fail;
  pairs.rank = 2;
  pairs.reason =
      "slow pairs: rank 0 (host n1) -> rank 2 (host n1): 3 GB/s; rank 1 (host n1) -> rank 2 (host n1): 3 GB/s";
  auto ranks =
      nlohmann::ordered_json::parse(R"({"kind":"environment","ranks":[{"rank":0,"host":"n1","gpu":0,"uuid":"GPU-a"},
      {"rank":1,"host":"n1","gpu":1,"uuid":"GPU-b"},{"rank":2,"host":"n1","gpu":2,"uuid":"GPU-c"}]})");
  const auto judged = judge(order, {{.node = "n1", .steps = {step_done("p2p", {pairs}, ranks)}}}, {}, false);
  REQUIRE(judged.findings.size() == 1);
  CHECK(judged.findings[0].rank == 2);
  CHECK(judged.findings[0].subject.gpu_uuid == "GPU-c");

  // A report from before the rank had its own field: sentences are not parsed.
  pairs.rank.reset();
  const auto nobody = judge(order, {{.node = "n1", .steps = {step_done("p2p", {pairs}, ranks)}}}, {}, false);
  CHECK_FALSE(nobody.findings[0].rank.has_value());
  CHECK(nobody.findings[0].subject.gpu_uuid.empty());
}

TEST_CASE("an unreadable value neither passes nor fails; in strict mode it is a skip; by itself it is not a pass") {
  Order order{.nodes = 1, .gpus_per_node = 1, .full = false, .device = "auto", .suites = {Suite::health}};
  auto ecc = gpu_figure(0, "ecc", 0);
  ecc.suite = "health";
  ecc.value.reset();
  auto xid = ecc;
  xid.name = "xid";
  xid.verdict = Verdict::skip;
  xid.reason = "not_available";
  const NodeEvidence both{.node = "n1",
                          .steps = {step_done("health-before", {ecc, xid}), step_done("health-after", {ecc, xid})}};
  const auto judged = judge(order, {both}, {}, false);
  CHECK(judged.verdict == Verdict::pass);
  CHECK(judged.not_available.size() == 2);
  CHECK(judge(order, {both}, {}, true).verdict == Verdict::skip);
  const NodeEvidence dark{.node = "n1", .steps = {step_done("health-before", {xid}), step_done("health-after", {xid})}};
  CHECK(judge(order, {dark}, {}, false).verdict == Verdict::skip);
}

TEST_CASE("too few GPUs, one GPU on two nodes, other versions on one node: each is a finding of that node") {
  const auto few = judge(compute_order(1, 4), {four_gpus({690, 695, 700})}, {}, false);
  CHECK(all_words(few).find("fail n1: 3 GPUs, but 4 were requested") != std::string::npos);
  const auto one = judge(compute_order(1, 4), {four_gpus({690})}, {}, false);
  CHECK(all_words(one).find("fail n1: 1 GPU, but 4 were requested") != std::string::npos);
  const auto more = judge(compute_order(1, 1), {four_gpus({690, 695})}, {}, false);
  CHECK(all_words(more).find("fail n1: 2 GPUs, but one was requested") != std::string::npos);

  const auto twice =
      judge(compute_order(2), {four_gpus({690, 695, 700, 692}), four_gpus({690, 695, 700, 692}, "n2")}, {}, false);
  CHECK(all_words(twice).find("fail n2: GPU-0 is also shown by n1") != std::string::npos);

  Order order{.nodes = 3, .gpus_per_node = 1, .full = false, .device = "auto", .suites = {Suite::health}};
  std::vector<NodeEvidence> nodes;
  for (const std::string name : {"n1", "n2", "n3"}) {
    auto ecc = gpu_figure(0, "ecc", 0);
    const nlohmann::ordered_json environment = {
        {"kind", "environment"}, {"driver", name == "n2" ? "550.1" : "580.1"}, {"versions", {{"nccl", "2.28.9"}}}};
    nodes.push_back(
        {.node = name,
         .steps = {step_done("health-before", {ecc}, environment), step_done("health-after", {ecc}, environment)}});
  }
  CHECK(all_words(judge(order, nodes, {}, false)) == "fail n2: driver 550.1, but 580.1 on 2 of 3 nodes\n");
}

TEST_CASE("the node whose BIOS, memory or firmware differs from most nodes is named") {
  const Order order{.nodes = 3, .gpus_per_node = 1, .full = false, .device = "auto", .suites = {Suite::health}};
  std::vector<NodeEvidence> nodes;
  for (const std::string name : {"n1", "n2", "n3"}) {
    auto ecc = gpu_figure(0, "ecc", 0);
    const nlohmann::ordered_json environment = {
        {"kind", "environment"},
        {"node", {{"bios", name == "n3" ? "2.1 01/05/2024" : "2.4 11/20/2025"}, {"memory", "2015 GiB"}}},
        {"readings",
         {{{"model", "NVIDIA H200"},
           {"texts", {{"vbios", name == "n1" ? "96.00.99" : "96.00.BC"}, {"serial", name}}}}}},
        {"infiniband", {{{"board", "MT_0000000838"}, {"firmware", name == "n2" ? "28.39.1002" : "28.43.2026"}}}}};
    nodes.push_back(
        {.node = name,
         .steps = {step_done("health-before", {ecc}, environment), step_done("health-after", {ecc}, environment)}});
  }
  CHECK(all_words(judge(order, nodes, {}, false)) ==
        "fail n3: bios 2.1 01/05/2024, but 2.4 11/20/2025 on 2 of 3 nodes\n"
        "fail n2: firmware of MT_0000000838 28.39.1002, but 28.43.2026 on 2 of 3 nodes\n"
        "fail n1: vbios of NVIDIA H200 96.00.99, but 96.00.BC on 2 of 3 nodes\n");
}

TEST_CASE("the host's CPU is shared by all ranks and not compared") {
  auto figure = gpu_figure(0, "gemm_fp32", 10);
  figure.gpu_index.reset();
  figure.gpu_uuid.clear();
  auto slow = figure;
  slow.value = 1;
  auto order = compute_order(2, 2);
  order.device = "cpu";
  const NodeEvidence first{.node = "n1", .steps = {step_done("compute", {figure})}};
  const NodeEvidence second{.node = "n2", .steps = {step_done("compute", {slow})}};
  CHECK(judge(order, {first, second}, {}, false).verdict == Verdict::pass);
}

}  // namespace
}  // namespace rv::accept
