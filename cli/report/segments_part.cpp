#include <fmt/format.h>

#include <algorithm>

#include "base/walltime.h"
#include "cli/report/parts.h"
#include "cli/views/run_table.h"
#include "reports/pages/html.h"
#include "shared/time_text.h"

namespace rv::cli {
namespace {

using pages::escape_html;

std::string_view segment_tone(const monitor::Segment& segment) {
  if (!segment.end) return "plain";
  switch (segment.end->reason.kind()) {
    case monitor::SegmentReason::finished:
      return "pass";
    case monitor::SegmentReason::crashed:
    case monitor::SegmentReason::lost:
      return "fail";
    default:
      return segment.end->progress ? "plain" : "skip";
  }
}

std::string reason_of(const monitor::Segment& segment, bool over) {
  if (!segment.end) return over ? "left no end" : "under way";
  return monitor::in_words(*segment.end);
}

}  // namespace

std::string segments_html(const RunStory& story) {
  if (!story.view.chain || story.view.chain->segments.empty()) return "";
  const auto& chain = *story.view.chain;
  const bool over = monitor::is_final(story.view.state);
  const auto end_of = [&](const monitor::Segment& one) {
    if (one.end) return one.end->time;
    return over ? one.seen.value_or(one.began) : story.now;
  };
  const auto first = chain.segments.front().began;
  auto last = first + std::chrono::seconds(1);
  for (const auto& one : chain.segments) last = std::max(last, end_of(one));
  const auto share = [&](std::chrono::seconds span) {
    return 100 * static_cast<double>(span.count()) / static_cast<double>((last - first).count());
  };
  std::string bar = "<div class=\"bar segments\">", rows;
  for (const auto& one : chain.segments) {
    const auto span = std::max(std::chrono::seconds(0), std::chrono::seconds(end_of(one) - one.began));
    bar += fmt::format("<b class=\"{}\" style=\"left:{:.2f}%;width:{:.2f}%\" title=\"segment {}\"></b>",
                       segment_tone(one), share(one.began - first), std::max(share(span), 0.3), one.number);
    rows += fmt::format(
        "<tr><td class=\"n\">{}</td><td class=\"n\">{}</td><td>{}</td><td>{}</td><td class=\"n\">{}</td>"
        "<td class=\"wrap\">{}</td></tr>\n",
        one.number, slurm::to_string(one.job), escape_html(one.nodes), local_time(one.began), format_duration(span),
        escape_html(reason_of(one, over)));
  }
  return fmt::format(
      "<p>{} of {} used{}</p>\n{}</div>\n<div class=\"scroll\"><table class=\"segments\">\n<tr><th "
      "class=\"n\">segment</th>"
      "<th class=\"n\">job</th><th>nodes</th><th>began</th><th "
      "class=\"n\">for</th><th>end</th></tr>\n{}</table></div>\n",
      format_duration(chain.used), format_duration(chain.total),
      chain.used_su ? fmt::format(", {:.1f} SU", *chain.used_su) : "", bar, rows);
}

}  // namespace rv::cli
