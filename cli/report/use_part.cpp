#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "base/walltime.h"
#include "cli/report/parts.h"
#include "cli/use/use_text.h"
#include "reports/pages/html.h"

namespace rv::cli {
namespace {

/// More rows than these are folded.
constexpr std::size_t most_rows = 20;

std::string gib_cell(const std::optional<Mebibytes>& memory) {
  return memory ? fmt::format("<td class=\"n\">{:.1f}</td>", static_cast<double>(memory->count) / 1024)
                : "<td class=\"n\">—</td>";
}

std::string row_of(const AttemptUse& attempt) {
  const auto& job = attempt.job;
  const auto figure = [](const std::optional<double>& value, int digits) {
    return value ? fmt::format("<td class=\"n\">{:.{}f}</td>", *value, digits) : "<td class=\"n\">—</td>";
  };
  return fmt::format(
      "<tr><td>{}</td><td>{}</td>{}{}{}<td class=\"n\">{}</td><td class=\"n\">{}</td>"
      "<td class=\"n\">{}</td></tr>\n",
      pages::escape_html(attempt_name(attempt)), pages::escape_html(lower(job.state)), gib_cell(attempt.peak_memory),
      gib_cell(attempt.memory), figure(attempt.cpus, 1), job.cpus, format_duration(job.end - job.start),
      job.limit ? format_duration(*job.limit) : "—");
}

std::string table_html(const std::vector<AttemptUse>& attempts, std::size_t begin, std::size_t end) {
  std::string out =
      "<div class=\"scroll\"><table class=\"use\">\n<tr><th>job</th><th>end</th><th class=\"n\">peak memory GiB a "
      "node</th><th class=\"n\">of</th><th class=\"n\">CPUs, mean</th><th class=\"n\">of</th><th "
      "class=\"n\">time</th><th class=\"n\">of</th></tr>\n";
  for (auto i = begin; i < end; ++i) out += row_of(attempts[i]);
  return out + "</table></div>\n";
}

}  // namespace

std::string use_html(const RunStory& story) {
  const auto& attempts = story.use.attempts;
  if (!story.use.trouble.empty()) {
    return fmt::format("<p class=\"dim\">Accounting did not answer: {}</p>\n",
                       pages::escape_html(one_line(story.use.trouble)));
  }
  if (attempts.empty()) return "";
  const auto shown = std::min(attempts.size(), most_rows);
  auto out = table_html(attempts, 0, shown);
  if (attempts.size() > shown) {
    out += pages::folded("the other " + counted(static_cast<long long>(attempts.size() - shown), "job"),
                         table_html(attempts, shown, attempts.size()));
  }
  if (story.enough) out += fmt::format("<p>{}.</p>\n", pages::escape_html(enough_text(*story.enough)));
  return out +
         "<p class=\"dim\">Memory as Slurm's accounting sampled it, without page cache; a peak between two samples is "
         "not in it.</p>\n";
}

}  // namespace rv::cli
