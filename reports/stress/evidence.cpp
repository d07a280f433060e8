#include "reports/stress/evidence.h"

#include <fmt/format.h>

#include "base/documents/json_members.h"
#include "base/text.h"
#include "shared/documents/json_integer.h"

namespace rv::stress {
namespace {

using Json = nlohmann::ordered_json;

template <std::integral Integer = long long>
Integer whole(const Json& json, const char* key) {
  return member_integer<Integer>(json, key).value_or(0);
}

std::vector<std::string> texts(const Json& json, const char* key) {
  std::vector<std::string> out;
  const auto found = json.find(key);
  if (found == json.end() || !found->is_array()) return out;
  for (const auto& one : *found) {
    if (one.is_string()) out.push_back(one.get<std::string>());
  }
  return out;
}

Worker worker_of(const accept::Figure& figure) {
  Worker worker;
  worker.number = whole<int>(figure.params, "worker");
  worker.gpu = figure.gpu_index.value_or(-1);
  worker.end = member_text(figure.params, "end");
  worker.verdict = figure.verdict;
  worker.cause = member_text(figure.params, "cause");
  worker.reason = figure.reason;
  worker.operations = whole(figure.params, "operations");
  worker.rate = figure.value.value_or(0);
  worker.seconds = member_number(figure.params, "seconds").value_or(0);
  worker.gpu_peak_bytes = member_number(figure.params, "gpu_peak_bytes");
  worker.rss_peak_bytes = member_number(figure.params, "rss_peak_bytes");
  return worker;
}

Together together_of(const accept::Figure& figure) {
  Together together;
  together.gpu = figure.gpu_index.value_or(-1);
  together.uuid = figure.gpu_uuid;
  together.model = figure.model;
  together.workers = whole<int>(figure.params, "workers");
  together.operations = whole(figure.params, "operations");
  together.rate = figure.value.value_or(0);
  together.utilisation_percent = member_number(figure.params, "utilisation_percent");
  together.memory_peak_bytes = member_number(figure.params, "memory_peak_bytes");
  return together;
}

Launch launch_of(const accept::Figure& figure) {
  Launch launch;
  launch.name = figure.name;
  launch.visible = member_text(figure.params, "cuda_visible_devices");
  launch.reason = figure.reason;
  launch.log = member_text(figure.params, "log");
  launch.given = texts(figure.params, "given");
  if (figure.params.contains("used") && figure.params["used"].is_array()) launch.used = texts(figure.params, "used");
  launch.new_segments = texts(figure.params, "new_segments");
  launch.exit_code = whole<int>(figure.params, "exit_code");
  launch.seconds = figure.value.value_or(0);
  launch.verdict = figure.verdict;
  return launch;
}

Refusal does_not_fit(const accept::Figure& figure) {
  constexpr int code = 4;
  const auto fits = whole(figure.params, "fits_mib");
  return {code, figure.reason,
          fits > 0 ? fmt::format("--memory {} fits, or ask for fewer --workers", fits) : "ask for fewer --workers"};
}

Refusal no_launcher(const accept::Figure& figure) {
  constexpr int usage = 2, not_executable = 126;
  const auto code = whole<int>(figure.params, "exit_code");
  if (code == usage)
    return {code, figure.reason, "give GPUs by their position in the allocation, from 0: --subset 0,2"};
  if (const auto interpreter = member_text(figure.params, "interpreter"); !interpreter.empty()) {
    return {code, "--launch: " + one_line(figure.reason),
            interpreter.ends_with('\r') ? "its lines have Windows line endings: fix them with sed -i 's/\\r$//' FILE"
                                        : "correct its first line, or name the interpreter: --launch 'python FILE'"};
  }
  return {code, "--launch: " + figure.reason,
          code == not_executable ? "make it executable (chmod +x), or name its interpreter: --launch 'python FILE'"
                                 : "check the spelling, or give its full path on the node"};
}

void describe(NodeEvidence& node, const Json& environment) {
  node.node = member_text(environment, "host");
  node.driver = member_text(environment, "driver");
  node.device = member_text(environment, "device");
  node.began = member_number(environment, "began").value_or(0);
  node.nodes = member_integer<int>(environment, "nodes").value_or(1);
  if (const auto gpus = environment.find("gpus"); gpus != environment.end() && gpus->is_array()) {
    for (const auto& gpu : *gpus) {
      node.models.push_back(member_text(gpu, "model"));
      if (auto uuid = member_text(gpu, "uuid"); !uuid.empty()) node.uuids.push_back(std::move(uuid));
    }
  }
  const auto found = environment.find("request");
  const auto request = found != environment.end() && found->is_object() ? *found : Json::object();
  node.asked = whole<int>(request, "workers");
  node.duration_s = member_number(request, "duration_s").value_or(0);
  node.memory_mib = whole(request, "memory_mib");
  node.matrix = whole(request, "matrix");
  node.worker_bytes = whole(request, "worker_bytes");
  node.stressed = request.value("stress", false);
  node.launches_asked = !texts(request, "launch").empty();
}

void take(NodeEvidence& node, const accept::Figure& figure) {
  if (figure.suite == "launch") {
    if (figure.name == "launcher") {
      node.refusal = no_launcher(figure);
    } else {
      node.launches.push_back(launch_of(figure));
    }
  } else if (figure.suite == "after") {
    node.checks.push_back(
        {figure.name, figure.gpu_uuid, figure.reason, member_text(figure.params, "detail"), figure.verdict});
  } else if (figure.name == "fit") {
    node.refusal = does_not_fit(figure);
  } else if (figure.name == "together") {
    node.together.push_back(together_of(figure));
  } else if (figure.name == "scaling") {
    if (figure.verdict == Verdict::fail) node.trouble = figure.reason;
    if (!figure.value) return;  // no rate to compare with
    node.scaling = Scaling{*figure.value, member_text(figure.params, "over"),
                           member_number(figure.params, "alone_ops_per_s").value_or(0),
                           member_number(figure.params, "together_ops_per_s").value_or(0)};
  } else if (figure.name == "gpu" && figure.verdict == Verdict::skip) {
    node.skipped = member_text(figure.params, "detail");
  } else if (figure.params.contains("worker")) {
    node.workers.push_back(worker_of(figure));
  } else {
    node.trouble = figure.reason;
  }
}

}  // namespace

std::optional<NodeEvidence> evidence_of(std::string_view report) {
  const auto parsed = accept::parse_worker_report(report);
  if (!parsed.environment.is_object()) return std::nullopt;
  NodeEvidence node;
  describe(node, parsed.environment);
  for (const auto& figure : parsed.figures) take(node, figure);
  node.whole = parsed.result.has_value();
  node.seconds = parsed.seconds;
  return node;
}

}  // namespace rv::stress
