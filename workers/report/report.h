#pragma once

#include <chrono>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shared/verdict.h"
#include "workers/devices/device.h"

namespace rv::workers {

/// One figure or one finding. Its verdict is `error` until it is judged, so that a missing judgement never counts as a
/// pass.
struct Measurement {
  std::string suite;  ///< gemm, bandwidth, exact, memory, collective, train, health, …
  std::string name;   ///< gemm_bf16, triad, h2d, …
  Device device;
  std::optional<double> value;   ///< median, in `unit`
  std::optional<double> spread;  ///< median absolute deviation, in `unit`
  std::string unit;              ///< TFLOP/s, GB/s (10⁹ bytes), us, or empty
  /// details of the measurement; its member `note` is a sentence for people, with any verdict
  nlohmann::ordered_json params = nlohmann::ordered_json::object();
  Verdict verdict = Verdict::error;
  /// in a measurement of all ranks: the rank that the reason is about; nothing: no single rank
  std::optional<int> rank;
  std::string
      reason;  ///< sentence: why the verdict is not pass; for a skip one word, with the sentence in params.detail
};

nlohmann::ordered_json to_json(const Measurement& measurement);
/// Reads a measurement from JSON. Members that are missing or have the wrong type keep their defaults, so the verdict
/// is then an error.
Measurement measurement_from_json(const nlohmann::ordered_json& json);

/// The environment line of a process with these GPUs, as JSON and as text.
nlohmann::ordered_json environment_json(const Gpus& gpus, const nlohmann::ordered_json& request);
std::string environment_text(const Gpus& gpus);

/// Collects measurements and writes them as they arrive: JSON lines to every `json` file, sections of text to `human`.
/// The kinds of lines are `environment` (first), `measurement` (one for each figure) and `result` (last). The files are
/// borrowed and flushed after each line, so that the results of a killed worker are kept. A file without a result line
/// belongs to a run that did not end.
class Report {
 public:
  Report(std::FILE* human, std::vector<std::FILE*> json) : human_(human), json_(std::move(json)) {}

  void environment(const Gpus& gpus, const nlohmann::ordered_json& request);
  void environment(const nlohmann::ordered_json& json, const std::string& text);
  void add(Measurement measurement);
  /// Writes the result line, with the seconds since construction, and returns the verdict. If `written()` is false
  /// afterwards, a line could not be written.
  Verdict finish();
  bool written() const { return written_; }
  /// Replaces the exit code of a verdict: for a skip if the run was ended deliberately, or for an error that has its
  /// own code.
  void set_exit_code(Verdict verdict, int code) { codes_[verdict] = code; }
  int exit_code_of(Verdict verdict, bool allow_skip) const;

 private:
  void line(const nlohmann::ordered_json& object);
  void say(const std::string& text);

  std::FILE* human_;  ///< null: no text
  std::vector<std::FILE*> json_;
  std::vector<Measurement> measurements_;
  std::string_view section_;  ///< the last heading that was written
  bool written_ = true;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  std::map<Verdict, int> codes_;  ///< replacements of the usual exit codes
};

}  // namespace rv::workers
