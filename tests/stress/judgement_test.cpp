#include "reports/stress/judgement.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "tests/stress/stress_builder.h"

namespace rv::stress {
namespace {

using rv::Verdict;

Judgement judged(const std::vector<NodeEvidence>& nodes, const std::map<std::string, LauncherLog>& logs = {}) {
  return judge(nodes, logs, message_table({}), {});
}

std::string workers(int well, int killed) {
  auto lines = environment_line(well + killed);
  for (int i = 0; i < well; ++i) lines += worker_line(i, i % 2, 100);
  for (int i = well; i < well + killed; ++i) lines += worker_line(i, i % 2, 3, "killed", "was killed by signal 9");
  return lines;
}

bool says(const Judgement& judgement, Verdict verdict, const std::string& where, const std::string& what) {
  return std::any_of(judgement.findings.begin(), judgement.findings.end(), [&](const auto& one) {
    return one.verdict == verdict && one.where == where && one.what.find(what) != std::string::npos;
  });
}

TEST_CASE("four of five workers are enough, and the fifth is named") {
  const auto all = judged({node_of(workers(8, 2))});
  CHECK(all.verdict == Verdict::pass);
  CHECK(exit_code(all) == 0);
  CHECK(says(all, Verdict::pass, "n07 worker 8 (gpu 0)", "signal 9"));
}

TEST_CASE("a worker that failed by itself is an error, one that had too little time is not") {
  const auto scaling = [](const std::string& verdict) {
    return R"({"kind":"measurement","suite":"stress","name":"scaling","value":null,"params":{},"verdict":")" + verdict +
           R"(","reason":"one GPU by itself: wrong result"})"
           "\n";
  };
  const auto failed = judged({node_of(workers(10, 0) + scaling("fail"))});
  CHECK(says(failed, Verdict::error, "n07", "one GPU by itself: wrong result"));
  const auto short_of_time = node_of(workers(10, 0) + scaling("pass"));
  CHECK_FALSE(short_of_time.scaling);
  CHECK(judged({short_of_time}).findings.empty());
}

TEST_CASE("fewer are not") {
  const auto all = judged({node_of(workers(7, 2))});
  CHECK(all.verdict == Verdict::fail);
  CHECK(exit_code(all) == 1);
  CHECK(says(all, Verdict::fail, "all", "7 of 9 (78 %)"));
}

TEST_CASE("if only memory was insufficient the exit code shows it") {
  auto lines = environment_line(2) + worker_line(0, 0, 100) + worker_line(1, 0, 0, "did not fit", "out_of_memory: x");
  const auto all = judged({node_of(lines)});
  CHECK(all.verdict == Verdict::fail);
  CHECK(exit_code(all) == 4);
}

TEST_CASE("the advice for a failed worker depends on the cause in its report, not on its message") {
  const auto advice_of = [](const std::string& reason, const std::string& cause) {
    return judged({node_of(environment_line(1) + worker_line(0, 0, 5, "failed", reason, cause))}).findings.at(0).advice;
  };
  CHECK(advice_of("its open files grew", "leak").find("compare with another node") != std::string::npos);
  CHECK(advice_of("element (1, 2) is 3", "wrong_result").find("--suite compute,memory") != std::string::npos);
  CHECK(advice_of("leaks: its memory grew", "").starts_with("run it again"));
}

TEST_CASE("a report that ends early is an error") {
  const auto cut = evidence_of(environment_line(1) + worker_line(0, 0, 100)).value();
  CHECK(judged({cut}).verdict == Verdict::error);
  CHECK(exit_code(judged({cut})) == 3);
}

TEST_CASE("a node that left no report is missed") {
  const auto all = judged({node_of(environment_line(1, 2) + worker_line(0, 0, 100))});
  CHECK(all.verdict == Verdict::error);
  CHECK(says(all, Verdict::error, "all", "1 of 2 nodes left no report"));
  CHECK(judged({}).verdict == Verdict::error);
}

TEST_CASE("workers without a report do not pass") {
  CHECK(judged({node_of(environment_line(2) + worker_line(0, 0, 100))}).verdict != Verdict::pass);
}

TEST_CASE("leftovers fail, and unchecked resources neither pass nor fail") {
  const auto good = environment_line(1) + worker_line(0, 0, 100);
  CHECK(judged({node_of(good + check_line("contexts", "skip"))}).verdict == Verdict::pass);
  CHECK(judged({node_of(good + check_line("contexts", "skip"))}).not_available.size() == 1);
  const auto all = judged({node_of(good + check_line("processes", "fail", "left behind: 17"))});
  CHECK(all.verdict == Verdict::fail);
  CHECK(says(all, Verdict::fail, "n07", "processes afterwards: left behind: 17"));
}

TEST_CASE("GPUs that share unevenly fail; those with more workers are not compared") {
  const auto two = environment_line(2) + worker_line(0, 0, 100) + worker_line(1, 1, 40);
  CHECK(judged({node_of(two + together_line(0, 1, 100) + together_line(1, 1, 80))}).verdict == Verdict::pass);
  const auto all = judged({node_of(two + together_line(0, 1, 100) + together_line(1, 1, 40))});
  CHECK(all.verdict == Verdict::fail);
  CHECK(says(all, Verdict::fail, "n07", "2.50 times"));
  CHECK(judged({node_of(two + together_line(0, 1, 100) + together_line(1, 1, 0))}).verdict == Verdict::fail);
  CHECK(judged({node_of(two + together_line(0, 2, 100) + together_line(1, 1, 40))}).verdict == Verdict::pass);
}

TEST_CASE("half of the launcher's configurations are enough") {
  const auto lines = environment_line(0, 1, true) + launch_line("single", 1, R"(["GPU-0"])");
  CHECK(judged({node_of(lines + launch_line("cpu", 0, "[]", 1))}).verdict == Verdict::pass);
  const auto all = judged({node_of(lines + launch_line("cpu", 0, "[]", 1) + launch_line("all", 4, "null", 1))});
  CHECK(all.verdict == Verdict::fail);
  CHECK(says(all, Verdict::fail, "n07 launch all", "exit code 1"));
}

TEST_CASE("a critical message fails a configuration that ends with 0") {
  const auto lines = environment_line(0, 1, true) + launch_line("single", 1, R"(["GPU-0"])");
  const auto all = judged({node_of(lines)}, {{"launch-single.log", {"ok\nFailed to allocate GPU resources\n"}}});
  CHECK(all.verdict == Verdict::fail);
  CHECK(says(all, Verdict::fail, "n07 launch single", "its output has, in line 2: Failed to allocate"));
}

TEST_CASE("a launcher's output is shown if its file is temporary, else its path is") {
  const auto advice_of = [](const LauncherLog& log) {
    const auto lines = environment_line(0, 1, true) + launch_line("single", 1, R"(["GPU-0"])", 3);
    return judged({node_of(lines)}, {{"launch-single.log", log}}).findings.at(0).advice;
  };
  CHECK(advice_of({"boom\n", "/r/launch-single.log"}) == "its output is in /r/launch-single.log");
  CHECK(advice_of({"first\n\nboom\x1b\n"}) == "its last output:\nfirst\nboom?");
  std::string many;
  for (int i = 1; i <= 20; ++i) many += fmt::format("line {}\n", i);
  CHECK(advice_of({many}).starts_with("its last output:\nline 11\n"));
  CHECK(advice_of({" \n"}) == "it printed nothing");
}

TEST_CASE("GPUs that were given and not used are noted, unknown use is not") {
  const auto lines = environment_line(0, 1, true);
  const auto noted = judged({node_of(lines + launch_line("all", 4, R"(["GPU-0"])"))});
  CHECK(noted.verdict == Verdict::pass);
  CHECK(says(noted, Verdict::pass, "n07 launch all", "it had 4 GPUs and used 1"));
  CHECK(judged({node_of(lines + launch_line("all", 4, "null"))}).findings.empty());
}

TEST_CASE("a GPU that two nodes show fails") {
  const auto node = [](const std::string& name, const std::string& uuid) {
    auto one = node_of(environment_line(1, 2) + worker_line(0, 0, 100));
    one.node = name;
    one.uuids = {uuid};
    return one;
  };
  CHECK(judged({node("h1", "GPU-0"), node("h2", "GPU-1")}).verdict == Verdict::pass);
  const auto all = judged({node("h1", "GPU-0"), node("h2", "GPU-0")});
  CHECK(all.verdict == Verdict::fail);
  CHECK(says(all, Verdict::fail, "h2", "GPU-0 is also shown by h1"));
}

TEST_CASE("the UUIDs of a node's GPUs are read") {
  const auto node = evidence_of(R"({"kind":"environment","host":"n1","gpus":[{"model":"H200","uuid":"GPU-7"}]})"
                                "\n");
  CHECK(node.value().uuids == std::vector<std::string>{"GPU-7"});
}

TEST_CASE("no GPU is a skip") {
  const auto lines = environment_line(2) +
                     R"({"kind":"measurement","suite":"stress","name":"gpu","gpu":{"index":null},"verdict":"skip",)"
                     R"("reason":"no_gpu","params":{"detail":"no driver"}})"
                     "\n";
  const auto all = judged({node_of(lines)});
  CHECK(exit_code(all) == 77);
  CHECK(all.findings.at(0).advice.find("CUDA_VISIBLE_DEVICES") != std::string::npos);  // there is a driver
}

TEST_CASE("balance") {
  CHECK(balance_of({10, 20, 30}).most_to_least == doctest::Approx(3));
  CHECK(balance_of({10, 20, 30}).variation == doctest::Approx(0.40825).epsilon(1e-4));
  CHECK_FALSE(balance_of({0, 5}).most_to_least.has_value());
  CHECK_FALSE(balance_of({5}).most_to_least.has_value());
}

}  // namespace
}  // namespace rv::stress

TEST_CASE("a number that does not fit an integer is ignored") {
  const auto node =
      rv::stress::evidence_of(R"({"kind":"environment","host":"n07","device":"gpu","nodes":1e30,)"
                              R"("request":{"workers":1e300,"matrix":444444444444444444444444448192,"stress":true}})");
  REQUIRE(node);
  CHECK(node->asked == 0);
  CHECK(node->matrix == 0);
  CHECK(node->nodes == 1);
}
