// Reads the reports of workers, judges them, and makes the pages and documents of them. The first line is a launcher's
// log and a log of NCCL's as well.
#include <nlohmann/json.hpp>

#include "reports/accept/judgement.h"
#include "reports/accept/nccl_log.h"
#include "reports/stress/document.h"
#include "reports/stress/junit.h"
#include "reports/stress/page.h"
#include "shared/documents/json_dump.h"
#include "tests/fuzz/target.h"

using namespace rv;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = fuzz::text_of(data, size);
  fuzz::read_or_refuse([&] {
    accept::NodeEvidence node{.node = "n1", .steps = {}};
    node.steps.push_back({.step = "compute",
                          .exit_code = 0,
                          .reports = {accept::parse_worker_report(text)},
                          .last_words = {},
                          .channels = accept::read_nccl_log(text)});
    accept::Order order;
    order.nodes = 1;
    accept::judge(order, {node}, {}, false);
  });
  fuzz::read_or_refuse([&] {
    auto node = stress::evidence_of(text);
    if (!node) return;
    const auto log = text.substr(0, text.find('\n'));
    const std::map<std::string, stress::LauncherLog> logs{{"all.log", {.text = std::string(log), .path = "/all.log"}}};
    const auto judgement = stress::judge({std::move(*node)}, logs, stress::message_table({}), {});
    json_dump(stress::to_json(judgement, "run"));
    if (stress::page(judgement, "run", {}).find("<script>alert") != std::string::npos) {
      throw std::logic_error("a script in the page");
    }
    stress::junit_xml(judgement);
  });
  return 0;
}
