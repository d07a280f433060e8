#include "workers/report/report.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "shared/documents/json_dump.h"
#include "shared/documents/json_integer.h"
#include "workers/devices/dynamic_library.h"
#include "workers/devices/node_name.h"

namespace rv::workers {

using Json = nlohmann::ordered_json;

namespace {

Json optional_number(const std::optional<double>& number) {
  return number && std::isfinite(*number) ? Json(*number) : Json();
}

std::string device_name(const Measurement& m) {
  const auto& device = m.device;
  if (device.index == all_devices) return "all";
  if (device.index < 0 && m.rank) return fmt::format("rank {}", *m.rank);
  return device.index < 0 ? "cpu" : fmt::format("gpu {}", device.index);
}

/// The reason and, if the measurement has one, the sentence that explains it.
std::string explained(const Measurement& m) {
  return m.params.contains("detail") ? fmt::format("{} ({})", m.reason, m.params["detail"].get<std::string>())
                                     : m.reason;
}

/// The heading of a suite in the text: COMPUTE, TRAIN, DDP, STRESS, HEALTH, IO or DEVICE.
std::string_view section_of(std::string_view suite) {
  if (suite == "train" || suite == "model" || suite == "alone") return "TRAIN";
  if (suite == "health") return "HEALTH";
  if (suite == "device") return "DEVICE";
  if (suite == "stress" || suite == "after" || suite == "launch") return "STRESS";
  for (const auto io : {"storage", "visibility", "network"}) {
    if (suite == io) return "IO";
  }
  for (const auto distributed : {"collective", "p2p", "straggler", "ranks", "ddp"}) {
    if (suite == distributed) return "DDP";
  }
  return "COMPUTE";
}

}  // namespace

Json to_json(const Measurement& m) {
  Json json;
  json["kind"] = "measurement";
  json["suite"] = m.suite;
  json["name"] = m.name;
  auto index = m.device.index < 0 ? Json() : Json(m.device.index);
  if (m.device.index == all_devices) index = "all";
  const auto uuid = m.device.uuid.empty() ? Json() : Json(m.device.uuid);
  json["gpu"] = {{"index", index}, {"uuid", uuid}, {"model", m.device.model}};
  json["value"] = optional_number(m.value);
  json["spread"] = optional_number(m.spread);
  json["unit"] = m.unit;
  json["params"] = m.params;
  json["verdict"] = to_string(m.verdict);
  json["reason"] = m.reason;
  json["rank"] = m.rank ? Json(*m.rank) : Json();
  return json;
}

Measurement measurement_from_json(const Json& json) {
  Measurement m;
  m.reason = "unreadable measurement";
  try {
    m.suite = json.value("suite", "");
    m.name = json.value("name", "");
    if (const auto gpu = json.find("gpu"); gpu != json.end()) {
      if (gpu->at("index") == "all") m.device.index = all_devices;
      if (const auto index = integer_in<int>(gpu->at("index"))) m.device.index = *index;
      if (gpu->at("uuid").is_string()) m.device.uuid = gpu->at("uuid").get<std::string>();
      m.device.model = gpu->value("model", "");
    }
    if (json.at("value").is_number()) m.value = json["value"].get<double>();
    if (json.at("spread").is_number()) m.spread = json["spread"].get<double>();
    m.unit = json.value("unit", "");
    m.params = json.at("params");
    m.verdict = verdict_named(json.value("verdict", "")).value_or(m.verdict);
    if (const auto rank = member_integer<int>(json, "rank")) m.rank = *rank;
    m.reason = json.value("reason", "");
  } catch (const Json::exception& error) {
    m.verdict = Verdict::error;
    m.reason = error.what();
  }
  return m;
}

Json environment_json(const Gpus& gpus, const Json& request) {
  Json json;
  json["kind"] = "environment";
  json["host"] = node_name();
  for (const auto& [key, value] : {std::pair{"cuda_driver", gpus.driver_version},
                                   {"cuda_runtime", gpus.runtime_version},
                                   {"cublaslt", gpus.cublas_version}}) {
    json[key] = value.empty() ? Json() : Json(value);
  }
  json["libraries"] = libraries_taken();
  json["gpus"] = Json::array();
  for (const auto& gpu : gpus.devices) {
    json["gpus"].push_back({{"index", gpu.index},
                            {"uuid", gpu.uuid},
                            {"model", gpu.model},
                            {"pci_bus_id", gpu.pci_bus_id},
                            {"memory_bytes", gpu.memory_bytes},
                            {"compute_capability", gpu.compute_capability}});
  }
  json["request"] = request;
  return json;
}

std::string environment_text(const Gpus& gpus) {
  const auto or_none = [](const std::string& text) { return text.empty() ? std::string("none") : text; };
  auto text = fmt::format("host {}, CUDA driver {}, runtime {}, cuBLASLt {}\n", node_name(),
                          or_none(gpus.driver_version), or_none(gpus.runtime_version), or_none(gpus.cublas_version));
  for (const auto& library : libraries_taken()) text += fmt::format("loaded: {}\n", library);
  for (const auto& gpu : gpus.devices) {
    text += fmt::format("gpu {}: {}, {:.0f} GiB, {}, {}\n", gpu.index, gpu.model,
                        static_cast<double>(gpu.memory_bytes) / (1 << 30), gpu.uuid, gpu.pci_bus_id);
  }
  if (gpus.devices.empty()) text += gpus.detail + "\n";
  return text;
}

void Report::environment(const Gpus& gpus, const Json& request) {
  environment(environment_json(gpus, request), environment_text(gpus));
}

void Report::environment(const Json& json, const std::string& text) {
  line(json);
  say("[ENV]\n" + text);
}

void Report::add(Measurement m) {
  // A NaN compares false with every limit, so later thresholds would pass it.
  if (m.verdict == Verdict::pass && m.value && !std::isfinite(*m.value)) {
    m.verdict = Verdict::error;
    m.reason = "the figure is not a finite number";
  }
  line(to_json(m));
  if (const auto section = section_of(m.suite); section != section_) {
    say(fmt::format("\n[{}]\n", section));
    section_ = section;
  }
  auto text = fmt::format("{:<6} {:<26} ", device_name(m), m.name);
  if (m.value) {
    text += fmt::format("{:>10.2f} {:<8}", *m.value, m.unit);
    text += m.spread ? fmt::format(" ±{:<8.2f}", *m.spread) : std::string(10, ' ');
  } else {
    text += std::string(29, ' ');
  }
  if (const auto time = m.params.find("time_us"); time != m.params.end() && time->is_number()) {
    text += fmt::format(" {:>10.2f} us", time->get<double>());
  }
  text += fmt::format(" {}", to_string(m.verdict));
  if (!m.reason.empty()) text += ": " + explained(m);
  if (const auto note = m.params.find("note"); note != m.params.end() && note->is_string()) {
    text += ", " + note->get<std::string>();
  }
  say(text + "\n");
  measurements_.push_back(std::move(m));
}

Verdict Report::finish() {
  std::vector<Verdict> verdicts;
  std::array<int, 4> counts{};
  for (const auto& m : measurements_) {
    verdicts.push_back(m.verdict);
    ++counts[static_cast<std::size_t>(m.verdict)];
  }
  const auto verdict = fold(verdicts);
  Json json;
  json["kind"] = "result";
  json["verdict"] = to_string(verdict);
  for (const auto v : {Verdict::pass, Verdict::fail, Verdict::skip, Verdict::error}) {
    json[std::string(to_string(v))] = counts[static_cast<std::size_t>(v)];
  }
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - began_;
  json["seconds"] = std::round(taken.count() * 1e3) / 1e3;
  line(json);
  say(fmt::format("\n[RESULT]\n{}: {} passed, {} failed, {} skipped, {} in error\n", to_string(verdict), counts[0],
                  counts[1], counts[2], counts[3]));
  for (const auto& m : measurements_) {
    if (m.verdict == Verdict::pass) continue;
    const auto card = m.device.uuid.empty() ? std::string() : " " + m.device.uuid;
    say(fmt::format("{}{} {}: {}, {}\n", device_name(m), card, m.name, to_string(m.verdict), explained(m)));
  }
  return verdict;
}

int Report::exit_code_of(Verdict verdict, bool allow_skip) const {
  const auto own = codes_.find(verdict);
  return own != codes_.end() ? own->second : exit_code(verdict, allow_skip);
}

void Report::line(const Json& object) {
  // Invalid UTF-8 (in a model name, for example) must not make the report unwritable.
  const auto text = json_dump(object) + "\n";
  for (auto* file : json_) {
    if (std::fwrite(text.data(), 1, text.size(), file) != text.size() || std::fflush(file) != 0) written_ = false;
  }
}

void Report::say(const std::string& text) {
  if (human_ == nullptr) return;
  if (std::fwrite(text.data(), 1, text.size(), human_) != text.size() || std::fflush(human_) != 0) written_ = false;
}

}  // namespace rv::workers
