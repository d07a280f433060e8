#include "cli/views/race_display.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "base/table.h"
#include "base/walltime.h"
#include "monitor/run/pending_reason.h"

namespace rv::cli {
namespace {

std::string in_words(const monitor::CandidateView& candidate, bool decided) {
  if (!candidate.journal.refusal.empty()) return "refused: " + candidate.journal.refusal;
  if (!candidate.journal.job)
    return decided ? "not needed" : candidate.journal.intent ? "submitting" : "to be submitted";
  if (candidate.journal.yielded) return "stepped back";
  if (!candidate.status) return "submitted";
  const auto& status = *candidate.status;
  switch (status.phase) {
    case monitor::Phase::pending:
    case monitor::Phase::held: {
      const auto reason = monitor::explain_pending(status.reason);
      return std::string(to_string(status.phase)) + ": " + reason.words +
             (reason.advice.empty() ? "" : " (" + reason.advice + ")");
    }
    case monitor::Phase::configuring:
      return "nodes are being prepared: " + status.node_list;
    case monitor::Phase::running:
      return "starting on " + status.node_list;
    case monitor::Phase::unknown:
      return "Slurm does not know it (yet)";
    case monitor::Phase::ended:
      return "job " + std::string(monitor::in_words(status.ending.value_or(monitor::Ending::failed)));
    case monitor::Phase::suspended:
    case monitor::Phase::completing:
      break;
  }
  return std::string(to_string(status.phase));
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
  const bool decided = view.winner.has_value() || monitor::is_final(view.state);
  std::size_t widest = 0;
  for (const auto& candidate : view.candidates) widest = std::max(widest, characters(candidate.candidate.summary));
  for (const auto& candidate : view.candidates) {
    const std::string job = candidate.journal.job ? slurm::to_string(*candidate.journal.job) : "-";
    const std::string padding(widest - characters(candidate.candidate.summary), ' ');
    lines.push_back(fmt::format("{:>2}  {}{}  {:>8}  {}", candidate.candidate.number, candidate.candidate.summary,
                                padding, job, in_words(candidate, decided)));
  }
  return lines;
}

void RaceDisplay::show(const monitor::RunView& view, const std::string& trouble, std::chrono::seconds waited) {
  auto lines = candidate_lines(view);
  if (!view.again.empty()) lines.push_back(view.again);
  if (!trouble.empty()) lines.push_back("Slurm does not answer (" + trouble + "); waiting for it");
  if (terminal_.err) {
    lines.insert(lines.begin(), "waiting for GPUs, " + format_duration(waited) + "  (Ctrl-C gives up)");
    show_live(lines);
  } else {
    show_plain(lines);
  }
}

void RaceDisplay::show_live(const std::vector<std::string>& lines) {
  if (lines == shown_) return;
  clear();
  for (const auto& line : lines) fmt::print(stderr, "{}\n", fitted(line, terminal_.width));
  std::fflush(stderr);
  live_lines_ = static_cast<int>(lines.size());
  shown_ = lines;
}

void RaceDisplay::show_plain(const std::vector<std::string>& lines) {
  for (const auto& line : lines) {
    if (std::find(shown_.begin(), shown_.end(), line) == shown_.end()) fmt::print(stderr, "rv: {}\n", line);
  }
  std::fflush(stderr);
  shown_ = lines;
}

void RaceDisplay::clear() {
  if (live_lines_ > 0) fmt::print(stderr, "\r\x1b[{}A\x1b[J", live_lines_);
  live_lines_ = 0;
  shown_.clear();
}

}  // namespace rv::cli
