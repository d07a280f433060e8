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

/// One figure or one finding. Unjudged it is an error, so that a forgotten judgement never reads as a pass.
struct Measurement {
  std::string suite;  ///< gemm, bandwidth, exact, memory, collective, train, health, …
  std::string name;   ///< gemm_bf16, triad, h2d, …
  Device device;
  std::optional<double> value;                                       ///< median, in `unit`
  std::optional<double> spread;                                      ///< median absolute deviation, in `unit`
  std::string unit;                                                  ///< TFLOP/s, GB/s (10⁹ bytes), us, or empty
  nlohmann::ordered_json params = nlohmann::ordered_json::object();  ///< `note`: a sentence for people, of any verdict
  Verdict verdict = Verdict::error;
  std::optional<int> rank;  ///< whom the reason is about, of a measurement of all ranks; nothing: nobody alone
  std::string reason;  ///< why it is not a pass: a sentence, or for a skip one word with the sentence in params.detail
};

nlohmann::ordered_json to_json(const Measurement& measurement);
/// The same back. What is missing or of another type stays as an unjudged measurement has it: an error.
Measurement measurement_from_json(const nlohmann::ordered_json& json);

/// The environment line of a process with these GPUs, and the same for people.
nlohmann::ordered_json environment_json(const Gpus& gpus, const nlohmann::ordered_json& request);
std::string environment_text(const Gpus& gpus);

/// COMPUTE, TRAIN, DDP, STRESS, HEALTH, IO or DEVICE: the heading under which people look for a suite.
std::string_view section_of(std::string_view suite);

/// Gathers the measurements and writes them as they come: JSON lines to every `json` file (kind: environment, then
/// measurement per figure, last result), sections for people to `human`. Files are borrowed and flushed per line, so
/// a killed worker leaves what it had; a file without a result line is of a run that did not end.
class Report {
 public:
  Report(std::FILE* human, std::vector<std::FILE*> json) : human_(human), json_(std::move(json)) {}

  void environment(const Gpus& gpus, const nlohmann::ordered_json& request);
  void environment(const nlohmann::ordered_json& json, const std::string& text);
  void add(Measurement measurement);
  /// Writes the result, with the seconds since this report was begun, and returns it. False `written()` afterwards
  /// means that some line could not be written.
  Verdict finish();
  bool written() const { return written_; }
  /// The exit code in place of this verdict's: of a skip for a run that was ended on purpose, of an error that has a
  /// code of its own.
  void leave_with(Verdict verdict, int code) { codes_[verdict] = code; }
  int exit_code_of(Verdict verdict, bool allow_skip) const;

 private:
  void line(const nlohmann::ordered_json& object);
  void say(const std::string& text);

  std::FILE* human_;  ///< null: no text for people
  std::vector<std::FILE*> json_;
  std::vector<Measurement> measurements_;
  std::string_view section_;  ///< the heading that stands
  bool written_ = true;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  std::map<Verdict, int> codes_;  ///< in place of their usual ones
};

}  // namespace rv::workers
