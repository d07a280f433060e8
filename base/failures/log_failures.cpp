#include "base/failures/log_failures.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/failures/xid.h"
#include "base/text.h"

namespace rv::failures {
namespace {

constexpr std::size_t longest_text = 300;         // bytes of one message: progress bars make lines of megabytes
constexpr std::size_t last_lines = 10;            // where a warning counts
constexpr std::size_t progress_of_survivors = 5;  // lines; other ranks write one or two before they notice a failure

bool is_ascii_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// "epoch 3: loss 0.12", " 40%|████ | 4/10": a line with a number that does not look like part of a failure's report.
bool shows_progress(std::string_view piece) {
  if (piece.starts_with("  ") || piece.starts_with('|') || piece.starts_with('\t')) return false;
  if (std::none_of(piece.begin(), piece.end(), [](char c) { return c >= '0' && c <= '9'; })) return false;
  const bool bar = piece.find("%|") != std::string_view::npos;
  if (!bar && std::none_of(piece.begin(), piece.end(), is_ascii_letter)) return false;
  constexpr std::array<std::string_view, 23> of_reports = {
      "error",  "exception",  "traceback", "fail",     "abort",     "warn",          "kill", "terminat",
      "exit",   "signal",     "core dump", "0x",       "frame #",   "cancel",        "nccl", "allocat",
      "srun: ", "slurmstepd", "rv: ",      "watchdog", "goroutine", "out of memory", "bytes"};
  const auto text = lower(piece);
  return std::none_of(of_reports.begin(), of_reports.end(),
                      [&](auto word) { return text.find(word) != std::string::npos; });
}

// By line: how many lines of progress follow it.
std::vector<std::size_t> progress_after(std::span<const std::string> lines, const std::vector<PythonError>& errors) {
  std::vector<bool> in_traceback(lines.size());
  for (const auto& error : errors) {
    std::fill(in_traceback.begin() + static_cast<std::ptrdiff_t>(error.begin),
              in_traceback.begin() + static_cast<std::ptrdiff_t>(error.end) + 1, true);
  }
  std::vector<std::size_t> after(lines.size());
  std::size_t count = 0;
  for (std::size_t i = lines.size(); i-- > 0;) {
    after[i] = count;
    if (in_traceback[i]) continue;
    for_each_piece(lines[i], [&](std::string_view piece) { count += shows_progress(piece) ? 1 : 0; });
  }
  return after;
}

// What other failures explain as well as themselves: an exception with such a cause overrules nothing before it.
bool is_consequence(const LogFailure& failure) {
  constexpr std::array causes = {Cause::cuda_error,  Cause::nccl,     Cause::rendezvous,      Cause::killed,
                                 Cause::no_gpu_seen, Cause::gpu_busy, Cause::network_hardware};
  return failure.match.certainty == Certainty::echo ||
         std::find(causes.begin(), causes.end(), failure.match.cause) != causes.end();
}

LogFailure failure_of(const PythonError& error, std::optional<int> exit_code) {
  LogFailure failure{.match = {}, .line = error.end, .text = error.text.substr(0, longest_text), .error = error};
  if (auto match = cause_in(error.text, exit_code)) {
    failure.match = *match;
  } else {
    failure.match = {Cause::python_exception, rank_of(Cause::python_exception), Certainty::certain, 0};
  }
  // An exception is not a warning, whatever its message could be elsewhere.
  if (failure.match.certainty == Certainty::warning) failure.match.certainty = Certainty::certain;
  return failure;
}

class Reading {
 public:
  Reading(std::span<const std::string> lines, std::optional<int> exit_code)
      : lines_(lines),
        exit_code_(exit_code),
        errors_(python_errors_in(lines)),
        after_(progress_after(lines, errors_)) {}

  std::vector<LogFailure> run() {
    collect();
    for (auto& failure : failures_) failure.counts = after_[failure.line] < progress_of_survivors;
    for (auto& failure : failures_) {
      if (failure.match.certainty == Certainty::echo) failure.counts = false;
      const bool late = lines_.size() - failure.line <= last_lines;
      if (failure.match.certainty == Certainty::warning && !late) failure.counts = false;
    }
    prefer_root_of_chains();
    overrule();
    drop_repeated();
    return std::move(failures_);
  }

 private:
  void collect() {
    auto error = errors_.begin();
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      while (error != errors_.end() && error->end < i) ++error;
      // Of a traceback only its exception says anything: the source lines in it quote messages.
      if (error != errors_.end() && error->begin <= i && i < error->end && lines_[i].find("  ") != std::string::npos &&
          !names_device_fault(lines_[i])) {
        continue;
      }
      if (error != errors_.end() && error->end == i) {
        failures_.push_back(failure_of(*error, exit_code_));
        continue;
      }
      for_each_piece(lines_[i], [&](std::string_view piece) {
        const auto match = cause_in(piece, exit_code_);
        if (match) failures_.push_back({*match, i, excerpt(piece, match->at, longest_text), std::nullopt});
      });
    }
  }

  // Of exceptions raised while another was handled the one whose message is known says more than the last.
  void prefer_root_of_chains() {
    LogFailure* previous = nullptr;
    for (auto& failure : failures_) {
      if (!failure.error) continue;
      const bool plain = failure.match.cause == Cause::python_exception;
      if (failure.error->chained && previous != nullptr && previous->counts && plain &&
          previous->match.cause != Cause::python_exception) {
        failure.counts = false;
      }
      if (failure.counts || previous == nullptr || !failure.error->chained) previous = &failure;
    }
  }

  void overrule() {
    const auto last = std::find_if(failures_.rbegin(), failures_.rend(), [](const LogFailure& failure) {
      return failure.counts && failure.error && !is_consequence(failure);
    });
    if (last == failures_.rend()) return;
    for (auto& failure : failures_) {
      if (failure.line < last->line) failure.counts = false;
    }
  }

  void drop_repeated() {
    std::vector<Cause> seen;
    std::erase_if(failures_, [&](const LogFailure& failure) {
      if (!failure.counts) return false;
      if (std::find(seen.begin(), seen.end(), failure.match.cause) != seen.end()) return true;
      seen.push_back(failure.match.cause);
      return false;
    });
  }

  std::span<const std::string> lines_;
  std::optional<int> exit_code_;
  std::vector<PythonError> errors_;
  std::vector<std::size_t> after_;
  std::vector<LogFailure> failures_;
};

}  // namespace

std::vector<LogFailure> failures_in(std::span<const std::string> lines, std::optional<int> exit_code) {
  return Reading(lines, exit_code).run();
}

}  // namespace rv::failures
