#include "cli/mcp/tool_calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/documents/json_members.h"
#include "base/error.h"
#include "base/os/current_folder.h"
#include "base/os/random_bytes.h"
#include "cli/mcp/program_text.h"
#include "cli/mcp/tool_arguments.h"
#include "cli/mcp/tool_result.h"
#include "shared/documents/json_dump.h"
#include "shared/documents/json_integer.h"
#include "shared/sha256.h"
#include "shared/time_text.h"

namespace rv::mcp {
namespace {

using namespace std::chrono_literals;

/// A plan for thousands of nodes takes seconds; the rest is for Slurm.
constexpr auto longest_query = 2min;
/// Slurm may take minutes to accept a job.
constexpr auto longest_action = 10min;
constexpr std::size_t token_bytes = 16;
/// Strategies in an offer: rv's default number of candidates in a race.
constexpr std::size_t shown_strategies = 4;

/// Servers in several folders, or for several login nodes, share the budget file: a token of one must not confirm the
/// call of another, whose plan may be larger.
std::string hash_of_call(const std::vector<std::string>& line) {
  return sha256_hex(ascii_json_dump(Json{{"folder", os::current_folder()}, {"command_line", line}}));
}

std::optional<std::string> token_in(const Json& arguments) {
  const auto found = arguments.find(token_argument);
  if (found == arguments.end()) return std::nullopt;
  if (found->is_string()) return found->get<std::string>();
  throw Error("argument \"token\": expected a string", "call the tool without it for a new token", ExitCode::usage);
}

/// Whether rv refused the call before it submitted anything.
bool submitted_nothing(const Error& error) {
  return error.code() == ExitCode::usage || error.code() == ExitCode::no_strategy ||
         error.code() == ExitCode::no_such_run;
}

Json offer(const std::string& token) {
  return {{"notice", untrusted_notice},
          {"next", fmt::format("Nothing was changed. Show this to the user. To do it, call the tool again with the "
                               "same arguments and this token within {} minutes.",
                               token_lifetime.count())},
          {"token", token}};
}

/// Slurm rounds a time limit up to minutes (sbatch(1), --time).
std::int64_t whole_minutes(std::int64_t seconds) {
  return (seconds + 59) / 60 * 60;
}

}  // namespace

std::int64_t gpu_seconds_of(const Json& plan) {
  std::int64_t most = 0;
  for (const auto& strategy : plan.at("strategies")) {
    most = std::max(most, integer_at<std::int64_t>(strategy, "gpus") * integer_at<std::int64_t>(strategy, "segments") *
                              whole_minutes(integer_at<std::int64_t>(strategy, "time_limit_s")));
  }
  if (most > 0) return most;
  if (!plan.at("strategies").empty()) {
    throw Error("this run uses no GPU, and the budget counts GPU hours",
                "ask for at least one GPU, or ask the user to start the run: rv run -g 0", ExitCode::usage);
  }
  std::string reasons;
  for (const auto& rejected : plan.at("rejected")) {
    reasons.append(reasons.empty() ? ": " : "; ").append(rejected.value("reason", std::string()));
  }
  throw Error("no partition fits the request" + reasons, "the tool cluster lists the GPU types", ExitCode::no_strategy);
}

ToolCalls::ToolCalls(const CLI::App& rv, const std::string& home, std::string host)
    : rv_(rv), budget_(home), host_(std::move(host)) {}

Work ToolCalls::begin(const std::string& name, const Json& arguments) {
  const auto& tool = tool_named(name);
  const auto token = token_in(arguments);
  auto line = command_line(tool, arguments, rv_);
  if (!host_.empty()) line.insert(line.begin() + 1, "--host=" + host_);
  if (tool.effect == Effect::reads) return query(line, reading_result);
  if (tool.effect == Effect::starts) require_hours(budget_.read(), 0);
  if (tool.effect == Effect::stops) require_own_run(budget_.read(), arguments.at(run_argument));
  if (token) return confirmed(tool, line, *token);
  if (tool.effect == Effect::stops) {
    auto shown = line;
    shown.front() = "show";
    return query(shown, [=, this](const os::Result& result, auto) { return stop_offer(line, document_of(result)); });
  }
  auto planned = line;
  planned.insert(planned.begin() + 1, "--dry-run");
  return query(planned, [=, this](const os::Result& result, auto) { return start_offer(line, document_of(result)); });
}

Work ToolCalls::query(const CommandLine& line, const MakeResult& make) {
  const auto now = Answers::Clock::now();
  if (const auto stored = answers_.find(line, now)) return {.result = make(stored->result, stored->age)};
  answers_.count_query(now);
  return {.arguments = line, .deadline = longest_query, .finish = [=, this](const os::Result& result) {
            answers_.store(line, result, Answers::Clock::now());
            return make(result, 0s);
          }};
}

Work ToolCalls::confirmed(const Tool& tool, const CommandLine& line, const std::string& token) {
  std::int64_t gpu_seconds = 0;
  budget_.change(
      [&](Budget& budget) { gpu_seconds = use_token(budget, sha256_hex(token), hash_of_call(line), current_time()); });
  const bool stops = tool.effect == Effect::stops;
  return {.arguments = line,
          .deadline = longest_action,
          .cancellable = false,
          .finish = [=, this](const os::Result& result) {
            answers_.clear();
            return stops ? reading_result(result, 0s) : started(gpu_seconds, result);
          }};
}

std::string ToolCalls::new_token(const CommandLine& line, std::int64_t gpu_seconds) {
  auto token = os::random_hex(token_bytes);
  const auto now = current_time();
  budget_.change([&](Budget& budget) {
    add_confirmation(budget,
                     {.token_hash = sha256_hex(token),
                      .call_hash = hash_of_call(line),
                      .gpu_seconds = gpu_seconds,
                      .expires = now + token_lifetime},
                     now);
  });
  return token;
}

Json ToolCalls::start_offer(const CommandLine& line, const Json& plan) {
  const auto gpu_seconds = gpu_seconds_of(plan);
  const auto budget = budget_.read();
  require_hours(budget, gpu_seconds);
  auto strategies = shown_document(plan).at("strategies");
  if (strategies.size() > shown_strategies) {
    strategies.erase(strategies.begin() + static_cast<std::ptrdiff_t>(shown_strategies), strategies.end());
  }
  Json shown = offer(new_token(line, gpu_seconds));
  shown["at_most"] = in_hours(gpu_seconds);
  shown["left_in_budget"] = in_hours(budget.left());
  shown["strategies"] = strategies;
  return tool_result({json_dump(shown)});
}

Json ToolCalls::stop_offer(const CommandLine& line, const Json& run) {
  Json shown = offer(new_token(line, 0));
  for (const char* key : {"id", "name", "state", "detail", "command"}) {
    shown["run"][key] = plain_document(member_of(run, key));
  }
  return tool_result({json_dump(shown)});
}

Json ToolCalls::started(std::int64_t gpu_seconds, const os::Result& result) {
  Json run;
  try {
    run = document_of(result);
  } catch (const Error& error) {
    if (submitted_nothing(error)) {
      budget_.change([&](Budget& budget) { release_hours(budget, gpu_seconds); });
      throw;
    }
    throw Error(error.what(),
                fmt::format("{}; the run may have been submitted: {} stay reserved, and ps lists the runs",
                            error.advice(), in_hours(gpu_seconds)),
                error.code());
  }
  const auto id = run.at("id").get<std::string>();
  try {
    budget_.change([&](Budget& budget) { record_run(budget, id); });
  } catch (const Error& error) {
    throw Error(fmt::format("the run {} was started, but is not recorded: {}", id, error.what()),
                "show it to the user, who can stop it: rv stop " + id);
  }
  Json shown = {{"notice", untrusted_notice}};
  for (const char* key : {"id", "name", "state", "detail"}) shown[key] = plain_document(member_of(run, key));
  shown["reserved"] = in_hours(gpu_seconds);
  shown["left_in_budget"] = in_hours(budget_.read().left());
  return tool_result({json_dump(shown)});
}

}  // namespace rv::mcp
