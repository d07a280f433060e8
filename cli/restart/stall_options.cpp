#include "cli/restart/stall_options.h"

#include <fmt/format.h>

#include <string>

#include "base/did_you_mean.h"
#include "base/error.h"
#include "base/failures/cause.h"
#include "base/text.h"
#include "base/wrong_value.h"
#include "cli/options/command_option.h"
#include "cli/options/option_values.h"
#include "cli/options/value_option.h"

namespace rv::cli {
namespace {

/// A look at the processes takes some 30 ms, and there are 20 in this time.
constexpr std::chrono::seconds shortest_stall{10};
/// Without --retries: a command that stalls a third time has another reason than bad luck.
constexpr int restarts_after_stalls = 2;

std::chrono::seconds stall_value(const std::string& option, const std::string& text) {
  const auto span = duration_or("never", option, text);
  if (!span) return std::chrono::seconds(0);
  if (*span >= shortest_stall) return *span;
  throw wrong_value(option, text, "at least 10 seconds, or never", "write it like --stall 20m");
}

OnStall action_value(const std::string& option, const std::string& text) {
  if (text == "warn") return OnStall::warn;
  if (text == "stop") return OnStall::stop;
  if (text == "restart") return OnStall::restart;
  throw wrong_value(option, text, "warn, stop or restart" + suggestion(text, {"warn", "stop", "restart"}),
                    "write it like --on-stall restart");
}

/// Another attempt after a stall, beside those that --retries asks for.
void allow_restart(templates::JobSpec& job) {
  const std::string stalled(failures::text_of(failures::Cause::stalled).name);
  if (!job.retries) {
    job.retries = templates::Retries{.most = restarts_after_stalls, .on = {stalled}};
  } else if (!job.retries->on.empty() && !contains(job.retries->on, stalled)) {
    job.retries->on.push_back(stalled);
  }
}

}  // namespace

void add_stall_options(CLI::App& command, StallOptions& options) {
  add_value(command, "--stall", options.after, stall_value,
            "record where the processes wait if the command makes no progress for this long; never: don't "
            "(default: stall in the settings)")
      .type_name("TIME");
  add_value(command, "--on-stall", options.action, action_value,
            "what to do then: warn (default), stop, or restart (at most twice, or as often as --retries says; with "
            "--checkpoint from the last checkpoint)")
      .type_name("warn|stop|restart");
}

void put_stall(templates::JobSpec& job, const StallOptions& options, std::chrono::seconds usual) {
  const bool asked = options.after && options.after->count() > 0;
  const auto after = asked ? *options.after : options.after || job.hold ? std::chrono::seconds(0) : usual;
  if (after.count() == 0) {
    if (!options.action) return;
    throw Error("--on-stall needs --stall", "add --stall TIME, for example --stall 20m", ExitCode::usage);
  }
  if (job.hold) {
    throw Error("--stall needs a command", "write one (rv run CMD, rv up --run 'CMD'), or remove --stall",
                ExitCode::usage);
  }
  const auto action = options.action.value_or(OnStall::warn);
  if (action == OnStall::stop && job.chain) {
    throw Error("--on-stall stop and --checkpoint can't be combined: a checkpointed command starts again after its end",
                "use --on-stall restart, or warn", ExitCode::usage);
  }
  if (action == OnStall::restart && job.array) {
    throw Error("--on-stall restart and --array can't be combined",
                "use --on-stall stop; rv rerun RUN --failed runs the failed elements again", ExitCode::usage);
  }
  job.stall = templates::Stall{.after = after, .ends = action != OnStall::warn};
  if (action == OnStall::restart && !job.chain) allow_restart(job);
}

}  // namespace rv::cli
