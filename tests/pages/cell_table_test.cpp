#include "reports/pages/cell_table.h"

#include <doctest/doctest.h>

namespace rv::pages {

TEST_CASE("a column without a figure is left out, a missing figure of another one is marked") {
  const std::vector<Column> columns = {{"name"}, {"value", true}, {"peak", true}, {"end", false, true}};
  const auto html = cell_table(columns, {{{"a"}, {"1", "bad"}, {}, {}}, {{"b"}, {}, {}, {}}}, "—", "points");
  CHECK(html ==
        "<div class=\"scroll\"><table class=\"points\">\n"
        "<tr><th>name</th><th class=\"n\">value</th><th>end</th></tr>\n"
        "<tr><td>a</td><td class=\"n bad\">1</td><td>—</td></tr>\n"
        "<tr><td>b</td><td class=\"n\">—</td><td>—</td></tr>\n"
        "</table></div>\n");
}

}  // namespace rv::pages
