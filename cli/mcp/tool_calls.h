// What a call of a tool does: the command line of rv that it needs, and the result that is made of its output.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/os/process.h"
#include "cli/mcp/answers.h"
#include "cli/mcp/budget_file.h"
#include "cli/mcp/tools.h"

namespace rv::mcp {

/// The work of one call: either `result` is there at once, or rv is to be called with `arguments`, and `finish` makes
/// the result of its output; it throws Error for a failure.
struct Work {
  std::optional<Json> result = std::nullopt;
  std::vector<std::string> arguments = {};
  std::chrono::milliseconds deadline{0};
  bool cancellable = true;  // false: it starts or stops a run
  std::function<Json(const os::Result&)> finish = nullptr;
};

class ToolCalls {
 public:
  /// `rv`: the tree of rv's commands, which outlives this. `home`: rv's home folder. `host`: the login node to work on
  /// (-H); empty: as in the settings.
  ToolCalls(const CLI::App& rv, const std::string& home, std::string host);

  /// `name`: of one of tools(). Throws Error for what the tool refuses.
  Work begin(const std::string& name, const Json& arguments);

 private:
  using CommandLine = std::vector<std::string>;
  using MakeResult = std::function<Json(const os::Result& result, std::chrono::seconds age)>;

  // `line`: the command line of the call itself, which a token confirms.
  Work query(const CommandLine& line, const MakeResult& make);
  Work confirmed(const Tool& tool, const CommandLine& line, const std::string& token);
  Json start_offer(const CommandLine& line, const Json& plan);
  Json stop_offer(const CommandLine& line, const Json& run);
  std::string new_token(const CommandLine& line, std::int64_t gpu_seconds);
  Json started(std::int64_t gpu_seconds, const os::Result& result);

  const CLI::App& rv_;
  BudgetFile budget_;
  std::string host_;
  Answers answers_;
};

/// The most GPU seconds that a run of this plan can use: GPUs × time limit of any strategy, in whole minutes. Throws
/// Error for a plan without strategies, with the reasons, and for a plan without GPUs.
std::int64_t gpu_seconds_of(const Json& plan);

}  // namespace rv::mcp
