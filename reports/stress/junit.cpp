#include "reports/stress/junit.h"

#include <fmt/format.h>

#include <vector>

#include "reports/pages/html.h"

namespace rv::stress {
namespace {

struct Case {
  std::string name;
  double seconds = 0;
  Verdict verdict = Verdict::pass;
  std::string reason;
};

struct Suite {
  std::string name;
  std::vector<Case> cases;
};

int count(const Suite& suite, Verdict verdict) {
  int out = 0;
  for (const auto& one : suite.cases) out += one.verdict == verdict ? 1 : 0;
  return out;
}

std::string case_xml(const std::string& suite, const Case& one) {
  auto out = fmt::format("    <testcase classname=\"rv stress.{}\" name=\"{}\" time=\"{:.3f}\"", escape_xml(suite),
                         escape_xml(one.name), one.seconds);
  if (one.verdict == Verdict::pass) return out + "/>\n";
  const auto* const element = one.verdict == Verdict::fail   ? "failure"
                              : one.verdict == Verdict::skip ? "skipped"
                                                             : "error";
  return out + fmt::format(">\n      <{} message=\"{}\"/>\n    </testcase>\n", element, escape_xml(one.reason));
}

/// What went wrong without deciding anything.
Verdict tolerated(Verdict verdict, bool enough) {
  return verdict == Verdict::fail && enough ? Verdict::skip : verdict;
}

Case rate_case(const char* name, const PassCount& count, double least) {
  const bool well = count.percent() >= least;
  return {fmt::format("{} {:.0f} %", name, least), 0, well ? Verdict::pass : Verdict::fail,
          fmt::format("{} of {} passed ({:.0f} %)", count.passed, count.of, count.percent())};
}

Suite suite_of(const JudgedNode& node, const Judgement& all) {
  const auto& evidence = node.evidence;
  const bool workers_well = all.workers.percent() >= all.limits.min_success;
  const bool launches_well = all.launches.percent() >= all.limits.min_launch;
  Suite suite{evidence.node, {}};
  for (const auto& worker : evidence.workers) {
    suite.cases.push_back({fmt::format("worker {}", worker.number), worker.seconds,
                           tolerated(worker.verdict, workers_well), worker.reason});
  }
  for (const auto& check : evidence.checks) {
    suite.cases.push_back({fmt::format("{} afterwards{}", check.name, check.uuid.empty() ? "" : " " + check.uuid), 0,
                           check.verdict, check.verdict == Verdict::skip ? check.detail : check.reason});
  }
  for (const auto& one : node.launches) {
    suite.cases.push_back(
        {"launch " + one.launch.name, one.launch.seconds, tolerated(one.verdict, launches_well), one.reason});
  }
  return suite;
}

/// What no case of a node stands for: the rates, what is missing, what is uneven.
Suite whole_suite(const Judgement& all) {
  Suite suite{"together", {}};
  if (all.workers.of > 0)
    suite.cases.push_back(rate_case("success rate at least", all.workers, all.limits.min_success));
  if (all.launches.of > 0)
    suite.cases.push_back(rate_case("launch rate at least", all.launches, all.limits.min_launch));
  Case verdict{"verdict", 0, all.verdict, ""};
  if (all.verdict != Verdict::pass && !all.findings.empty()) {
    verdict.reason = fmt::format("{}: {}", all.findings.front().where, all.findings.front().what);
  }
  suite.cases.push_back(verdict);
  return suite;
}

std::string xml_of(const std::vector<Suite>& suites) {
  std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"rv stress\">\n";
  for (const auto& suite : suites) {
    out += fmt::format("  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\">\n",
                       escape_xml(suite.name), suite.cases.size(), count(suite, Verdict::fail),
                       count(suite, Verdict::error), count(suite, Verdict::skip));
    for (const auto& one : suite.cases) out += case_xml(suite.name, one);
    out += "  </testsuite>\n";
  }
  return out + "</testsuites>\n";
}

}  // namespace

std::string escape_xml(std::string_view text) {
  std::string out;
  for (const char& c : text) {
    if (c == '\n') {
      out += "&#10;";
    } else if (c == '\'') {
      out += c;  // stands for itself: all attributes are in double quotes
    } else if (static_cast<unsigned char>(c) >= ' ' || c == '\t') {
      out += pages::escape_html({&c, 1});
    }
  }
  return out;
}

std::string junit_xml(const Judgement& judgement) {
  std::vector<Suite> suites;
  for (const auto& node : judgement.nodes) suites.push_back(suite_of(node, judgement));
  suites.push_back(whole_suite(judgement));
  return xml_of(suites);
}

std::string junit_of_refusal(const std::string& why) {
  return xml_of({{"together", {{"verdict", 0, Verdict::error, why}}}});
}

}  // namespace rv::stress
