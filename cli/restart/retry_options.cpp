#include "cli/restart/retry_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/did_you_mean.h"
#include "base/error.h"
#include "base/failures/cause.h"
#include "base/text.h"
#include "base/wrong_value.h"
#include "cli/options/command_option.h"
#include "cli/options/option_values.h"
#include "cli/options/value_option.h"
#include "shared/number.h"

namespace rv::cli {
namespace {

using failures::Cause;

constexpr int most_retries = 100;

/// rv itself starts the run again after these, with limits of its own (monitor/diagnosis/retry_decision.h).
constexpr std::array hardware = {Cause::gpu_hardware,     Cause::gpu_driver,   Cause::gpu_missing,
                                 Cause::network_hardware, Cause::node_failure, Cause::preempted,
                                 Cause::launch_failure,   Cause::gate,         Cause::preflight};

/// Runs that have not failed, and runs whose command never began for a reason that stays.
constexpr std::array no_failures = {Cause::nothing_wrong, Cause::under_way,      Cause::pending,  Cause::not_submitted,
                                    Cause::refused,       Cause::cancelled,      Cause::unqueued, Cause::predecessor,
                                    Cause::no_progress,   Cause::restart_refused};

template <class Causes>
bool is_one_of(Cause cause, const Causes& causes) {
  return std::find(causes.begin(), causes.end(), cause) != causes.end();
}

std::vector<std::string> known_causes() {
  std::vector<std::string> names;
  for (auto& name : failures::cause_names()) {
    const auto cause = *failures::cause_named(name);
    if (!is_one_of(cause, hardware) && !is_one_of(cause, no_failures)) names.push_back(std::move(name));
  }
  return names;
}

bool is_exit_code(const std::string& word) {
  const auto code = number_in<int>(word, 1, 255);
  return code && word == std::to_string(*code);
}

void check_word(const std::string& word, const std::string& text) {
  if (is_exit_code(word)) return;
  const auto causes = known_causes();
  auto words = causes;
  words.insert(words.begin(), {"timeout", "oom"});
  if (contains(words, word)) return;
  if (const auto cause = failures::cause_named(word)) {
    if (is_one_of(*cause, hardware)) {
      throw Error(
          fmt::format("--retry-on \"{}\": rv starts the run again after {} by itself, without --retries", text, word),
          fmt::format("remove {}; add --requeue if the command may be started again after it had begun", word),
          ExitCode::usage);
    }
    throw Error(fmt::format("--retry-on \"{}\": {} is not a failure of the command", text, word),
                fmt::format("remove {}", word), ExitCode::usage);
  }
  throw wrong_value(
      "--retry-on", text,
      fmt::format("exit codes from 1 to 255, timeout, oom or the name of a cause{}{}",
                  one_line(word) == text ? "" : fmt::format(", not \"{}\"", one_line(word)), suggestion(word, words)),
      fmt::format("the causes are {}", listed(causes)));
}

}  // namespace

std::vector<std::string> parse_retry_on(const std::string& text) {
  auto words = list_value("--retry-on", text);
  for (const auto& word : words) check_word(word, one_line(text));
  return words;
}

void add_retry_options(CLI::App& command, RetryOptions& options) {
  add_value(command, "--retries", options.most, count_from(0, most_retries),
            "start the command again after it failed, up to N times, with growing pauses (default: 0)")
      .type_name("N");
  add_list(
      command, "--retry-on", options.on,
      [](const std::string&, const std::string& text) { return parse_retry_on(text); },
      "failures after which the command is started again: exit codes, timeout, oom, or causes that rv why names, such "
      "as "
      "nccl (default: any exit code other than 0)")
      .type_name("LIST");
}

std::optional<templates::Retries> retries_of(const RetryOptions& options, const templates::JobSpec& job) {
  if (!options.most && !options.on.empty()) {
    throw Error("--retry-on needs --retries", "add --retries N, or remove --retry-on", ExitCode::usage);
  }
  if (options.most.value_or(0) == 0) return std::nullopt;
  if (job.hold) {
    throw Error("--retries needs a command", "write one (rv run CMD, rv up --run 'CMD'), or remove --retries",
                ExitCode::usage);
  }
  if (job.array) {
    throw Error("--retries and --array can't be combined",
                "remove --retries; rv rerun RUN --failed runs the failed elements again", ExitCode::usage);
  }
  if (job.chain) {
    throw Error("--retries and --checkpoint can't be combined",
                "remove --retries: a checkpointed run starts failed segments again, see --max-crashes",
                ExitCode::usage);
  }
  return templates::Retries{.most = *options.most, .on = options.on};
}

}  // namespace rv::cli
