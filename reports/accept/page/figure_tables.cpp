#include "reports/accept/page/figure_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "base/text.h"
#include "reports/accept/summary.h"
#include "reports/pages/cell_table.h"
#include "reports/pages/html.h"

namespace rv::accept {

using pages::escape_html;

namespace {

using Tables = std::vector<const SummaryTable*>;

/// More tables than these of one kind become rows of one.
constexpr std::size_t most_tables = 16;
constexpr std::size_t most_open = 12;

bool passed(const SummaryTable& table) {
  return std::all_of(table.rows.begin(), table.rows.end(),
                     [](const auto& row) { return row.verdict == Verdict::pass; });
}

std::string number(const std::optional<double>& value) {
  return value ? figure_text(*value) : std::string();
}

std::string table_html(const SummaryTable& table) {
  const std::vector<pages::Column> columns = {{"figure"},       {"value", true},    {"unit"},
                                              {"spread", true}, {"smallest", true}, {"baseline", true},
                                              {"ratio", true},  {"at least", true}, {"verdict"}};
  std::vector<std::vector<pages::Cell>> rows;
  for (const auto& row : table.rows) {
    const std::string verdict(row.judged ? to_string(row.verdict) : "");
    rows.push_back({{escape_html(row.name)},
                    {number(row.value)},
                    {row.value ? escape_html(row.unit) : ""},
                    {number(row.spread)},
                    {row.small_us ? figure_text(*row.small_us) + " µs" : ""},
                    {number(row.baseline)},
                    {row.ratio ? fmt::format("{:.2f}", *row.ratio) : ""},
                    {row.ratio && row.at_least ? fmt::format("{:.2f}", *row.at_least) : ""},
                    {verdict, verdict}});
  }
  return pages::cell_table(columns, rows);
}

/// Figures that most of the places have, as (name, unit).
std::vector<std::pair<std::string, std::string>> columns_of(const Tables& tables) {
  std::vector<std::pair<std::string, std::string>> names;
  std::map<std::string, std::size_t> times;
  for (const auto* table : tables) {
    for (const auto& row : table->rows) {
      if (row.value && times[row.name]++ == 0) names.emplace_back(row.name, row.unit);
    }
  }
  std::erase_if(names, [&](const auto& one) { return 2 * times[one.first] < tables.size(); });
  return names;
}

std::string matrix_html(const Tables& tables) {
  const auto columns = columns_of(tables);
  std::string out = "<div class=\"scroll\"><table class=\"matrix\">\n<tr><th>place</th>";
  for (const auto& [name, unit] : columns) {
    out += fmt::format("<th class=\"n\">{}<br>{}</th>", escape_html(name), escape_html(unit));
  }
  out += "</tr>\n";
  for (const auto* table : tables) {
    out += fmt::format("<tr><td>{}</td>", escape_html(table->place));
    for (const auto& column : columns) {
      const auto row =
          std::find_if(table->rows.begin(), table->rows.end(), [&](const auto& r) { return r.name == column.first; });
      const bool there = row != table->rows.end();
      out += fmt::format("<td class=\"n{}\">{}</td>", there && row->verdict != Verdict::pass ? " bad" : "",
                         there ? number(row->value) : "");
    }
    out += "</tr>\n";
  }
  return out + "</table></div>\n";
}

const char* word_of(PlaceKind kind) {
  switch (kind) {
    case PlaceKind::gpu:
      return "GPU";
    case PlaceKind::host:
      return "host";
    case PlaceKind::ranks_together:
      return "node";
    case PlaceKind::all_nodes:
      break;
  }
  return "all nodes";
}

}  // namespace

std::string figure_tables_html(const Judgement& judgement) {
  const auto tables = summarize(judgement);
  std::vector<std::pair<PlaceKind, Tables>> kinds;
  for (const auto& table : tables) {
    auto found = std::find_if(kinds.begin(), kinds.end(), [&](const auto& k) { return k.first == table.kind; });
    if (found == kinds.end()) found = kinds.insert(kinds.end(), {table.kind, {}});
    found->second.push_back(&table);
  }
  std::string open, closed;
  std::size_t shown = 0;
  for (const auto& [kind, all] : kinds) {
    for (const auto* table : all) {
      if (!passed(*table) && shown++ < most_open) {
        open += fmt::format("<h3>{}</h3>\n{}", escape_html(table->title), table_html(*table));
      } else if (all.size() <= most_tables) {
        closed += pages::folded(escape_html(table->title), table_html(*table));
      }
    }
    if (all.size() > most_tables) {
      closed +=
          pages::folded(counted(static_cast<long long>(all.size()), word_of(kind)) + " side by side", matrix_html(all));
    }
  }
  return open + closed;
}

}  // namespace rv::accept
