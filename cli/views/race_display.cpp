#include "cli/views/race_display.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "base/os/terminal.h"
#include "base/table.h"
#include "base/text.h"
#include "base/walltime.h"
#include "cli/views/run_table.h"
#include "monitor/jobs/start_estimate.h"
#include "planner/slurm_words/job_reason.h"
#include "shared/time_text.h"

namespace rv::cli {
namespace {

/// True while Slurm holds the job back for the pause before a retry.
bool in_pause(const monitor::RunView& view, const monitor::JobStatus& status) {
  return status.reason == "BeginTime" && view.retry && view.retry->pause > std::chrono::seconds(0);
}

std::string in_words(const monitor::RunView& view, const monitor::CandidateView& candidate, bool decided) {
  if (!candidate.journal.refusal.empty()) return "refused: " + candidate.journal.refusal;
  if (!candidate.journal.job) {
    if (decided) return "not needed";
    if (candidate.journal.unanswered > 0) {
      return fmt::format("waiting for sbatch: {} without an answer ({}); tried again after growing pauses",
                         counted(candidate.journal.unanswered, "call"), candidate.journal.no_answer);
    }
    return candidate.journal.intent ? "submitting" : "to be submitted";
  }
  if (candidate.journal.yielded) return "stepped back";
  if (!candidate.status) return decided ? "not needed" : "submitted";
  const auto& status = *candidate.status;
  switch (status.phase) {
    case monitor::Phase::pending:
    case monitor::Phase::held: {
      if (in_pause(view, status)) return "pending: the next attempt starts at " + local_time(view.retry->begins);
      const auto reason = planner::job_reason(status.reason);
      return std::string(to_string(status.phase)) + ": " + reason.words +
             (reason.advice.empty() ? "" : " (" + reason.advice + ")");
    }
    case monitor::Phase::configuring:
      return "nodes are being prepared: " + status.node_list;
    case monitor::Phase::running:
      return "starting on " + status.node_list;
    case monitor::Phase::unknown:
      return "Slurm does not list it (yet)";
    case monitor::Phase::ended:
      return "job " + std::string(monitor::in_words(status.ending.value_or(monitor::Ending::failed)));
    case monitor::Phase::suspended:
    case monitor::Phase::completing:
      break;
  }
  return std::string(to_string(status.phase));
}

// A terminal that has gone takes nothing; that must not end the waiting before its time.
void say(const std::string& text) {
  std::fputs(text.c_str(), stderr);
  std::fflush(stderr);
}

// A live line may not wrap: the cursor goes back by lines.
std::string fitted(const std::string& line, int width) {
  std::string text;
  int columns = 0;
  for (const char c : line) {
    const bool continues_character = (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
    if (!continues_character && ++columns > width - 1) break;
    text += c;
  }
  return text;
}

}  // namespace

std::vector<std::string> candidate_lines(const monitor::RunView& view) {
  std::vector<std::string> lines;
  const bool over = monitor::is_final(view.state);
  const bool decided = view.winner.has_value() || over;
  const auto words = [&](const monitor::CandidateView& candidate) {
    const bool winner = view.winner == candidate.candidate.number;
    if (!winner) return in_words(view, candidate, decided);
    if (over) return "won, " + std::string(to_string(view.state));
    const bool began = view.state == monitor::RunState::running || view.state == monitor::RunState::holding;
    if (began && candidate.status && candidate.status->phase == monitor::Phase::running) {
      return "won, " + std::string(to_string(view.state)) + " on " + view.nodes;
    }
    return candidate.status ? in_words(view, candidate, decided) : "won";
  };
  std::size_t widest = 0;
  for (const auto& candidate : view.candidates) widest = std::max(widest, characters(candidate.candidate.summary));
  for (const auto& candidate : view.candidates) {
    const std::string job = candidate.journal.job ? "job " + slurm::to_string(*candidate.journal.job) : "-";
    const std::string padding(widest - characters(candidate.candidate.summary), ' ');
    lines.push_back(fmt::format("{:>2}  {}{}  {:>10}  {}", candidate.candidate.number, candidate.candidate.summary,
                                padding, job, words(candidate)));
  }
  return lines;
}

void RaceDisplay::show(const monitor::RunRecord& record, const monitor::RunView& view, const std::string& trouble,
                       std::chrono::seconds waited) {
  auto lines = candidate_lines(view);
  const auto now = current_time();
  if (const auto start = monitor::estimate_start(view, record.created, now)) {
    // If each change is printed on a separate line, the time of day: the time left changes constantly.
    lines.push_back(terminal_.cursor ? "start " + monitor::in_words(*start, now)
                                     : "start expected at " + local_time(start->time) + ", " + start->basis);
  }
  if (!view.again.empty()) lines.push_back(view.again);
  if (!trouble.empty()) lines.push_back("Slurm does not answer (" + trouble + "); waiting for it");
  if (terminal_.cursor) {
    lines.insert(lines.begin(), "waiting for GPUs, " + format_duration(waited) + "  (Ctrl-C " + ctrl_c_ + ")");
    show_live(lines);
  } else {
    show_plain(lines);
  }
}

void RaceDisplay::show_live(const std::vector<std::string>& lines) {
  const int width = os::columns_of_stderr(terminal_.width);
  if (lines == shown_ && width == width_) return;
  // After a resize the terminal may have wrapped what stands there: each line takes as many rows as it is long.
  if (width < width_) {
    int rows = 0;
    for (const auto& line : shown_) rows += 1 + (static_cast<int>(characters(fitted(line, width_))) - 1) / width;
    live_lines_ = rows;
  }
  clear();
  width_ = width;
  for (const auto& line : lines) say(fitted(line, width) + "\n");
  live_lines_ = static_cast<int>(lines.size());
  shown_ = lines;
}

void RaceDisplay::show_plain(const std::vector<std::string>& lines) {
  for (const auto& line : lines) {
    if (std::find(shown_.begin(), shown_.end(), line) == shown_.end()) say("rv: " + line + "\n");
  }
  shown_ = lines;
}

void RaceDisplay::clear() {
  if (live_lines_ > 0) os::move_cursor(stderr, fmt::format("\r\x1b[{}A\x1b[J", live_lines_));
  live_lines_ = 0;
  shown_.clear();
}

}  // namespace rv::cli
