#include <fmt/format.h>

#include "base/text.h"
#include "base/walltime.h"
#include "cli/report/parts.h"
#include "reports/pages/html.h"
#include "shared/documents/json_dump.h"

namespace rv::cli {
namespace {

using pages::escape_html;

/// An array of thousands writes some events for each.
constexpr std::size_t most_first = 60, most_last = 60, most_at_all = 2000;

std::string row_html(const monitor::Event& event, slurm::TimePoint created) {
  std::string more;
  for (const auto& [key, value] : event.more.items()) {
    more += fmt::format("{}{}={}", more.empty() ? "" : "  ", key, one_line(json_plain(value)));
  }
  if (more.size() > 600) more = more.substr(0, 600) + "…";
  return fmt::format(
      "<tr><td class=\"n\">+{}</td><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td "
      "class=\"wrap\">{}</td></tr>\n",
      format_duration(std::max(std::chrono::seconds(0), std::chrono::seconds(event.time - created))),
      escape_html(one_line(event.name.text())), event.candidate == 0 ? "" : std::to_string(event.candidate),
      event.job ? slurm::to_string(*event.job) : "", escape_html(more));
}

std::string table_html(const std::string& rows) {
  return "<div class=\"scroll\"><table class=\"events\">\n<tr><th class=\"n\">after</th><th>event</th>"
         "<th class=\"n\">candidate</th><th class=\"n\">job</th><th></th></tr>\n" +
         rows + "</table></div>\n";
}

}  // namespace

std::string events_html(const RunStory& story) {
  const auto& events = story.events;
  if (events.empty()) return "";
  const bool all = events.size() <= most_first + most_last;
  std::string first, between, last;
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (!all && i >= most_at_all && i + most_last < events.size()) continue;
    auto& rows = all || i < most_first ? first : i + most_last >= events.size() ? last : between;
    rows += row_html(events[i], story.facts.record.created);
  }
  if (all) return table_html(first);
  const auto hidden = events.size() - most_first - most_last;
  return table_html(first) +
         pages::folded(fmt::format("{} between{}", counted(static_cast<long long>(hidden), "event"),
                                   events.size() > most_at_all ? ", the first of them" : ""),
                       table_html(between)) +
         table_html(last);
}

}  // namespace rv::cli
