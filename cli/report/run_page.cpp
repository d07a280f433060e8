#include "cli/report/run_page.h"

#include <fmt/format.h>

#include <set>

#include "base/quote.h"
#include "base/text.h"
#include "base/version.h"
#include "base/walltime.h"
#include "cli/report/parts.h"
#include "cli/views/run_table.h"
#include "reports/pages/html.h"
#include "reports/pages/page.h"
#include "shared/time_text.h"

namespace rv::cli {
namespace {

using pages::escape_html;

constexpr auto style = R"(
dl.facts { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .25rem 1.2rem; margin: 0; }
dl.facts dt { color: var(--dim); } dl.facts dd { margin: 0; overflow-wrap: anywhere; }
.waits { display: grid; grid-template-columns: max-content minmax(4rem, 1fr) max-content; gap: .3rem .9rem; max-width: 46rem; align-items: center; margin-bottom: 1rem; }
.bar { position: relative; display: block; height: 1.1rem; background: var(--soft); } .bar b { position: absolute; top: .2rem; height: .7rem; border-radius: 2px; }
.bar b.range { background: var(--c0); opacity: .45; } .bar b.real { background: var(--c1); } .bar u { position: absolute; top: .05rem; height: 1rem; border-left: 2px solid var(--ink); }
.bar.segments { margin: .6rem 0 1rem; } .bar b.pass { background: var(--pass); } .bar b.fail { background: var(--fail); } .bar b.skip { background: var(--skip); } .bar b.plain { background: var(--c0); }
.squares { line-height: 1; margin: .7rem 0; } .squares i, .legend i { display: inline-block; width: .7rem; height: .7rem; margin: 0 2px 2px 0; border-radius: 2px; }
i.pass { background: var(--pass); } i.fail { background: var(--fail); } i.skip { background: var(--skip); } i.none { background: var(--line); }
.legend span { margin-right: 1rem; } .legend i { margin-right: .35rem; } table.events td { border-bottom-style: dotted; }
)";

bool went_wrong(monitor::RunState state) {
  return monitor::is_final(state) && state != monitor::RunState::done && state != monitor::RunState::stopped;
}

/// "train · 4× A40 on gpu-a40".
std::string title_of(const RunStory& story) {
  const auto& record = story.facts.record;
  const auto& candidates = story.view.candidates;
  std::string name = record.name.empty() ? "Run " + record.id : one_line(record.name);
  const auto* winner = winner_of(story.view);
  if (winner == nullptr && candidates.size() != 1) return name;
  return name + " · " + (winner != nullptr ? *winner : candidates.front()).candidate.summary;
}

std::string badge(monitor::RunState state) {
  const auto* const kind = state == monitor::RunState::done ? "pass" : went_wrong(state) ? "fail" : "plain";
  return fmt::format("<span class=\"verdict {}\">{}</span>", kind, to_string(state));
}

pages::About about_of(const RunStory& story) {
  std::set<std::string> drivers;
  for (const auto& look : story.gpus) {
    for (const auto& gpu : look.readings.gpus) {
      if (!gpu.driver.empty()) drivers.insert(gpu.driver);
    }
  }
  pages::About about{.host = story.view.nodes,
                     .driver = joined({drivers.begin(), drivers.end()}),
                     .versions = fmt::format("rv {}{}", version, story.slurm.empty() ? "" : ", Slurm " + story.slurm),
                     .duration = {},
                     .who = fmt::format("{} on {}", story.who, story.facts.record.host),
                     .when = utc_time(story.facts.record.created)};
  if (story.view.started) {
    const auto until = story.view.ended.value_or(story.now);
    about.duration =
        format_duration(std::max(std::chrono::seconds(0), std::chrono::seconds(until - *story.view.started)));
    if (!monitor::is_final(story.view.state)) about.duration += " so far";
  }
  return about;
}

std::string cause_html(const RunStory& story) {
  const auto& diagnosis = story.diagnosis;
  const bool well = story.view.state == monitor::RunState::done || !monitor::is_final(story.view.state);
  auto out = fmt::format("<div class=\"cause{}\">\n<p><strong>{}</strong></p>\n", well ? " plain" : "",
                         escape_html(one_line(diagnosis.summary)));
  for (const auto& proof : diagnosis.proofs) {
    out += fmt::format("<p class=\"mono\"><span class=\"dim\">{}{}</span> {}</p>\n", escape_html(proof.source),
                       proof.line ? fmt::format(":{}", *proof.line) : "", escape_html(one_line(proof.text)));
  }
  if (!diagnosis.advice.empty()) out += fmt::format("<p class=\"dim\">{}</p>\n", escape_html(diagnosis.advice));
  return out + "</div>\n";
}

std::string facts_html(const RunStory& story) {
  const auto& record = story.facts.record;
  std::string out = "<dl class=\"facts\">\n";
  const auto fact = [&](const char* name, const std::string& value) {
    if (!value.empty()) out += fmt::format("<dt>{}</dt><dd>{}</dd>\n", name, escape_html(one_line(value)));
  };
  fact("command", record.job.hold ? "(holds the GPUs)" : quote_all(record.job.typed));
  fact("from", record.work_folder);
  if (record.job.environment)
    fact("uses", fmt::format("{} ({})", record.job.environment->prefix, record.job.environment->from));
  if (const auto* winner = winner_of(story.view)) {
    fact("on", winner->candidate.summary);
    fact("partition", winner->candidate.partition);
  }
  fact("asked for", utc_time(record.created));
  if (story.view.started) fact("started", utc_time(*story.view.started));
  if (story.view.ended) fact("ended", utc_time(*story.view.ended));
  if (const auto limit = monitor::time_limit_of(story.view)) fact("limit", format_duration(*limit));
  if (story.view.exit_code) fact("exit code", monitor::exit_code_figure(*story.view.exit_code));
  if (story.view.started) fact("GPU hours", fmt::format("{:.2f}", story.cost.gpu_hours));
  if (story.cost.spent && story.view.started) fact("cost", fmt::format("{:.1f} SU", *story.cost.spent));
  if (record.job.after)
    fact("after", fmt::format("{}{}", record.job.after->run, record.job.after->only_ok ? ", if that succeeds" : ""));
  fact("folder", story.folder);
  for (const auto& warning : story.view.warnings) fact("warning", warning);
  return out + "</dl>\n";
}

}  // namespace

std::string run_page(const RunStory& story) {
  const auto& record = story.facts.record;
  const auto what = title_of(story);
  pages::Page page(fmt::format("{} · {}", what, to_string(story.view.state)), style);
  page.heading(fmt::format("{} {}", escape_html(what), badge(story.view.state)));
  page.lead(fmt::format("<p>Run {}</p>\n", escape_html(record.id)));
  page.section("Result", cause_html(story) + facts_html(story));
  // For a failed run the output comes first.
  const bool output_first = went_wrong(story.view.state);
  if (output_first) page.section("Output", logs_html(story));
  page.section("Waits, predicted and real", waits_html(story));
  page.section("Segments", segments_html(story));
  page.section("Elements", elements_html(story));
  page.section("Training", training_html(story));
  page.section("Use", use_html(story));
  page.section("GPUs", gpus_html(story));
  if (!output_first) page.section("Output", logs_html(story));
  page.section("Events", events_html(story));
  return page.html(about_of(story));
}

}  // namespace rv::cli
