#include "cli/views/element_table.h"

#include <algorithm>
#include <vector>

#include "base/table.h"
#include "base/text.h"
#include "base/walltime.h"

namespace rv::cli {
namespace {

using monitor::ElementState;

/// With more elements, neighbours in the same state share a row.
constexpr std::size_t most_single_rows = 100;

struct Row {
  int first = 0;
  int last = 0;
  int count = 1;
  ElementState state = ElementState::queued;
  const monitor::Element* element = nullptr;  // of a row of one
};

bool may_share(ElementState state) {
  return state == ElementState::done || state == ElementState::queued || state == ElementState::not_started ||
         state == ElementState::stopped;
}

std::vector<Row> rows_of(const monitor::ArrayView& array, bool over) {
  const bool sharing = array.indices.size() > most_single_rows;
  std::vector<Row> rows;
  for (const int index : array.indices) {
    const auto* element = find_element(array.elements, index);
    const auto state = element_state(element, over);
    if (sharing && may_share(state) && !rows.empty() && rows.back().state == state) {
      rows.back().last = index;
      rows.back().element = nullptr;
      ++rows.back().count;
    } else {
      rows.push_back({.first = index, .last = index, .state = state, .element = element});
    }
  }
  return rows;
}

Tone tone_of_element(ElementState state) {
  switch (state) {
    case ElementState::running:
      return Tone::good;
    case ElementState::queued:
      return Tone::waiting;
    case ElementState::done:
    case ElementState::stopped:
    case ElementState::not_started:
      return Tone::quiet;
    case ElementState::failed:
    case ElementState::lost:
      return Tone::bad;
  }
  return Tone::plain;
}

std::string exit_of(const monitor::Element& element) {
  return element.exit && element.exit->code >= 0 ? monitor::exit_code_figure(element.exit->code) : "";
}

std::string time_of(const monitor::Element& element, slurm::TimePoint now, bool over) {
  if (!element.start || (!element.exit && over)) return "";
  const auto end = element.exit ? element.exit->time : now;
  return format_duration(std::max(std::chrono::seconds(0), std::chrono::seconds(end - element.start->time)));
}

}  // namespace

std::string element_table(const monitor::RunView& view, slurm::TimePoint now, const os::Terminal& terminal) {
  const bool over = monitor::is_final(view.state);
  Table table;
  table.column("ELEMENT", Table::Align::right, Table::Cut::never);
  table.column("STATE");
  table.column("EXIT CODE", Table::Align::right);
  table.column("TIME", Table::Align::right);
  table.column("NODES");
  for (const auto& row : rows_of(*view.array, over)) {
    const auto indices =
        row.first == row.last ? std::to_string(row.first) : std::to_string(row.first) + "-" + std::to_string(row.last);
    if (row.element != nullptr) {
      table.row({indices, std::string(to_string(row.state)), exit_of(*row.element), time_of(*row.element, now, over),
                 row.element->start ? one_line(row.element->start->nodes) : ""});
    } else {
      table.row({indices,
                 std::string(to_string(row.state)) + (row.count > 1 ? " (" + std::to_string(row.count) + ")" : ""), "",
                 "", ""});
    }
    table.tone(1, tone_of_element(row.state));
  }
  return table.text(terminal.table_width(), terminal.colour);
}

}  // namespace rv::cli
