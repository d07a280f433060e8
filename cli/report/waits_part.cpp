#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/walltime.h"
#include "cli/report/parts.h"
#include "reports/pages/html.h"

namespace rv::cli {
namespace {

using pages::escape_html;
using std::chrono::seconds;

std::string span_text(const std::optional<seconds>& span) {
  return span ? format_duration(*span) : "";
}

/// The interval that was predicted with a mark at its median, and below it what came.
std::string bars_html(const planner::Wait& wait, const std::optional<seconds>& real) {
  if (!wait.p50 && !real) return "";
  double most = 1;
  for (const auto& span : {wait.p10, wait.p50, wait.p90, real}) {
    if (span) most = std::max(most, static_cast<double>(span->count()));
  }
  const auto percent = [&](const std::optional<seconds>& span) {
    return span ? 96 * std::clamp(static_cast<double>(span->count()) / most, 0.0, 1.0) : 0;
  };
  std::string out = "<div class=\"waits\">\n";
  if (wait.p50) {
    const double from = percent(wait.p10 ? wait.p10 : wait.p50), to = percent(wait.p90 ? wait.p90 : wait.p50);
    out += fmt::format(
        "<span>predicted</span><span class=\"bar\"><b class=\"range\" style=\"left:{:.1f}%;width:{:.1f}%\"></b>"
        "<u style=\"left:{:.1f}%\"></u></span><span class=\"n\">{}</span>\n",
        from, std::max(to - from, 0.4), percent(wait.p50), span_text(wait.p50));
  }
  if (real) {
    out += fmt::format(
        "<span>real</span><span class=\"bar\"><b class=\"real\" style=\"width:{:.1f}%\"></b></span>"
        "<span class=\"n\">{}</span>\n",
        std::max(percent(real), 0.4), span_text(real));
  }
  return out + "</div>\n";
}

std::string end_of(const monitor::CandidateView& one, bool won) {
  if (won) return "started";
  if (!one.journal.refusal.empty()) return "refused: " + one.journal.refusal;
  if (one.status && !one.status->word.empty()) return one.status->word;
  return one.journal.job ? "did not start" : "not submitted";
}

}  // namespace

std::string waits_html(const RunStory& story) {
  if (story.view.candidates.empty()) return "";
  const auto observed = monitor::observed_wait(story.facts);
  const int winner = story.view.winner.value_or(0);
  std::string bars, rows;
  for (const auto& one : story.view.candidates) {
    const auto& wait = one.candidate.wait;
    const bool won = one.candidate.number == winner;
    const auto real = won && observed ? std::optional(observed->real) : std::nullopt;
    if (won) bars = bars_html(wait, real);
    rows += fmt::format(
        "<tr><td>{}</td><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>"
        "<td class=\"n\">{}</td><td class=\"wrap\">{}</td><td class=\"wrap\">{}</td></tr>\n",
        one.candidate.number, escape_html(one.candidate.summary), span_text(wait.p10), span_text(wait.p50),
        span_text(wait.p90), span_text(real), escape_html(end_of(one, won)), escape_html(wait.basis));
  }
  return bars +
         "<div class=\"scroll\"><table class=\"candidates\">\n<tr><th>#</th><th>candidate</th><th class=\"n\">1 of "
         "10</th>"
         "<th class=\"n\">median</th><th class=\"n\">9 of 10</th><th class=\"n\">real</th><th>came to</th>"
         "<th>predicted from</th></tr>\n" +
         rows + "</table></div>\n";
}

}  // namespace rv::cli
