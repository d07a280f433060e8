#include "reports/accept/evidence.h"

#include <algorithm>
#include <filesystem>

#include "base/documents/json_members.h"
#include "base/documents/parse_document.h"
#include "base/trust/regular_file.h"
#include "shared/documents/json_integer.h"

namespace rv::accept {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

/// A pipe or a device among the reports must not stop the judgement.
std::string whole(const fs::path& path) {
  constexpr std::size_t most = std::size_t{1} << 30;
  return trust::read_regular_file(path.string(), most).value_or("");
}

std::vector<fs::path> sorted(const fs::path& folder) {
  std::vector<fs::path> paths;
  std::error_code fault;
  for (fs::directory_iterator it(folder, fault), end; !fault && it != end; it.increment(fault)) {
    paths.push_back(it->path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

/// Lines that are not JSON are passed over. Throws Error for one that no worker writes and that can't be decoded.
template <class Each>
void for_each_object(std::string_view text, const std::string& file, Each each) {
  while (!text.empty()) {
    const auto end = text.find('\n');
    const auto line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    refuse_excess(json_excess(line), file);
    const auto json = parse_json_or_discard<Json>(line);
    if (json.is_object()) each(json);
  }
}

Figure figure_of(const Json& json) {
  Figure figure;
  figure.suite = member_text(json, "suite");
  figure.name = member_text(json, "name");
  if (const auto gpu = json.find("gpu"); gpu != json.end() && gpu->is_object()) {
    figure.gpu_uuid = member_text(*gpu, "uuid");
    figure.model = member_text(*gpu, "model");
    if (const auto index = member_integer<int>(*gpu, "index")) figure.gpu_index = *index;
    figure.all_ranks = member_text(*gpu, "index") == "all";
  }
  figure.value = member_number(json, "value");
  figure.spread = member_number(json, "spread");
  figure.unit = member_text(json, "unit");
  const auto params = json.find("params");
  figure.params = params != json.end() && params->is_object() ? *params : Json::object();
  figure.verdict = verdict_from(member_text(json, "verdict"));
  if (const auto rank = member_integer<int>(json, "rank")) figure.rank = *rank;
  figure.reason = member_text(json, "reason");
  return figure;
}

// The last lines say what happened; a whole backtrace would bury them.
std::string last_lines(std::string text, std::size_t most) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  std::size_t begin = text.size();
  for (std::size_t i = 0; i < most && begin != 0; ++i) {
    const auto before = text.rfind('\n', begin - 1);
    begin = before == std::string::npos ? 0 : before;
  }
  return text.substr(begin != 0 && begin < text.size() ? begin + 1 : begin);
}

StepEvidence& step_of(NodeEvidence& node, const std::string& name) {
  const auto found = std::find_if(node.steps.begin(), node.steps.end(), [&](const auto& s) { return s.step == name; });
  if (found != node.steps.end()) return *found;
  node.steps.push_back({});
  node.steps.back().step = name;
  return node.steps.back();
}

}  // namespace

WorkerReport parse_worker_report(std::string_view text, const std::string& file) {
  WorkerReport report;
  for_each_object(text, file, [&](const Json& json) {
    const auto kind = member_text(json, "kind");
    if (kind == "environment") report.environment = json;
    if (kind == "measurement") report.figures.push_back(figure_of(json));
    if (kind == "result") {
      report.result = verdict_from(member_text(json, "verdict"));
      const auto seconds = json.find("seconds");
      if (seconds != json.end() && seconds->is_number()) report.seconds = seconds->get<double>();
    }
  });
  return report;
}

const StepEvidence* NodeEvidence::find(const std::string& step) const {
  const auto found = std::find_if(steps.begin(), steps.end(), [&](const auto& s) { return s.step == step; });
  return found == steps.end() ? nullptr : &*found;
}

std::vector<NodeEvidence> read_evidence(const std::string& reports) {
  std::vector<NodeEvidence> nodes;
  for (const auto& folder : sorted(reports)) {
    if (!fs::is_directory(folder)) continue;
    NodeEvidence node;
    node.node = folder.filename().string();
    const auto steps = folder / "steps.jsonl";
    for_each_object(whole(steps), steps, [&](const Json& json) {
      const auto name = member_text(json, "step");
      if (name.empty()) return;
      auto& step = step_of(node, name);
      if (const auto began = member_number(json, "began")) step.began = *began;
      if (const auto code = member_integer<int>(json, "exit_code")) step.exit_code = *code;
      if (const auto seconds = member_number(json, "seconds")) step.seconds = *seconds;
    });
    for (auto& step : node.steps) {
      for (const auto& file : sorted(folder / step.step)) {
        if (file.extension() == ".log") add(step.channels, read_nccl_log(whole(file)));
        if (file.extension() == ".jsonl") step.reports.push_back(parse_worker_report(whole(file), file));
      }
      step.last_words = last_lines(whole(folder / step.step / "err"), 4);
    }
    nodes.push_back(std::move(node));
  }
  return nodes;
}

}  // namespace rv::accept
