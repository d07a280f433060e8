#include "cli/acceptance/acceptance_folder.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "base/documents/parse_document.h"
#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/os/random_bytes.h"
#include "cli/json/values_json.h"

namespace rv::cli {

std::vector<templates::AcceptStep> script_steps(const accept::Order& order) {
  std::vector<templates::AcceptStep> steps;
  for (const auto& step : accept::steps_of(order)) {
    templates::AcceptStep line{.name = step.name, .together = step.together, .limit_s = step.limit_s, .command = {}};
    line.command.push_back(step.worker);
    line.command.insert(line.command.end(), step.arguments.begin(), step.arguments.end());
    steps.push_back(std::move(line));
  }
  return steps;
}

void prepare_acceptance(const std::string& folder, const accept::Order& order, const std::string& workers) {
  const std::string reports = folder + "/reports";
  os::make_folder(reports);
  os::write_file(folder + "/order.json", json_text(to_json(order)));
  // Two random words: what keeps strangers out of the ranks' meeting.
  os::write_file(folder + "/token", os::random_hex(16) + "\n");
  os::write_file(folder + "/node.sh", node_script(order, reports, workers, folder + "/token"));
}

std::string node_script(const accept::Order& order, const std::string& reports, const std::string& workers,
                        const std::string& token_file) {
  std::vector<std::string> environment;
  if (order.fabric) environment = accept::fabric_environment(*order.fabric);
  return templates::render_accept_node(reports, workers, token_file, script_steps(order), environment, order.within_s);
}

accept::Order read_order(const std::string& folder) {
  const auto text = os::read_file(folder + "/order.json");
  if (!text) {
    throw Error(fmt::format("{} does not contain an acceptance test", folder),
                "name a run of rv accept, or its report folder", ExitCode::no_such_run);
  }
  const auto json = parse_json_or_discard<nlohmann::ordered_json>(*text);
  if (!json.is_object())
    throw Error(fmt::format("{}/order.json is not valid JSON", folder), "run the acceptance again");
  return accept::order_from_json(json);
}

}  // namespace rv::cli
