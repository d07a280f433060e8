#include "base/border/report_name.h"

#include <doctest/doctest.h>

namespace rv {

TEST_CASE("each kind of work has its own names of reports") {
  const auto is = [](ReportKind kind, const char* name) { return ReportName::parse(kind, name).has_value(); };
  for (const char* const name : {"order.json", "steps.jsonl", "container-told", "health-before/err", "ddp/out",
                                 "ddp/rv-train.h1.12.jsonl", "collective/nccl.h1.77.log"}) {
    CHECK_MESSAGE(is(ReportKind::acceptance, name), name);
  }
  for (const char* const name : {"order.json\n", "x/order.json", "health/.err", "health/.ssh.jsonl", "Health/err",
                                 "health/a/b.jsonl", "health/authorized_keys", "../err", "err"}) {
    CHECK_MESSAGE(!is(ReportKind::acceptance, name), name);
  }
  CHECK(is(ReportKind::stress, "rv-stress.h1.12.jsonl"));
  CHECK(is(ReportKind::stress, "launch-0,2.h1.log"));
  CHECK(!is(ReportKind::stress, "a/b.jsonl"));
  CHECK(is(ReportKind::sweep, "lr_0.1 (a)/training.log"));
  CHECK(is(ReportKind::sweep, "n_é/checkpoint/model.pt"));
  CHECK(!is(ReportKind::sweep, "n_1/../../x"));
}

TEST_CASE("a report's name fits into a ustar header") {
  const auto is = [](std::size_t folder, std::size_t base) {
    return ReportName::parse(ReportKind::sweep, std::string(folder, 'f') + "/" + std::string(base, 'b')).has_value();
  };
  CHECK(is(150, 100));
  CHECK(!is(151, 1));
  CHECK(!is(1, 101));
}

TEST_CASE("the files of a sweep that rv makes of the others are not another machine's") {
  const auto made_here = [](ReportKind kind, const char* name) {
    return is_made_here(kind, ReportName::parse(kind, name).value());
  };
  for (const auto* name : {"sweep.json", "results.json", "combined_results.csv", "report.html"}) {
    CHECK(made_here(ReportKind::sweep, name));
    CHECK(!made_here(ReportKind::sweep, ("n_1/" + std::string(name)).c_str()));
  }
  CHECK(!made_here(ReportKind::sweep, "n_1/result.json"));
  CHECK(!made_here(ReportKind::acceptance, "order.json"));
}

}  // namespace rv
