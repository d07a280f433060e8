#include "templates/accept_script.h"

#include "base/quote.h"
#include "templates/renderer.h"

namespace rv::templates {

std::string render_accept_node(const std::string& reports, const std::string& workers, const std::string& token_file,
                               const std::vector<AcceptStep>& steps, const std::vector<std::string>& environment,
                               int within_s) {
  std::vector<std::string> lines;
  lines.reserve(steps.size());
  for (const auto& step : steps) {
    lines.push_back("rv_step " + quote(step.name) + (step.together ? " together " : " alone ") +
                    std::to_string(step.limit_s) + " " + quote_all(step.command));
  }
  std::vector<std::string> exports;
  exports.reserve(environment.size());
  for (const auto& variable : environment) exports.push_back("export " + quote(variable));
  return render("accept_node.bash", {{"reports", reports},
                                     {"workers", workers},
                                     {"token_file", token_file},
                                     {"environment", exports},
                                     {"within", within_s > 0 ? std::to_string(within_s) : std::string()},
                                     {"steps", lines}});
}

std::vector<std::string> accept_pod_command(const std::string& node_script, const std::string& order,
                                            const std::string& reports) {
  return {"bash", "-c", render("accept_pod.bash", {}), node_script, order, reports};
}

}  // namespace rv::templates
