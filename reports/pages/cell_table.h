// A table of HTML cells without its empty columns.
#pragma once

#include <string>
#include <vector>

namespace rv::pages {

struct Column {
  std::string title;    // HTML
  bool number = false;  // set right
  bool always = false;  // shown even if all its cells are empty
};

struct Cell {
  std::string html;
  std::string css = {};    // class
  std::string title = {};  // HTML text of its tooltip
};

/// `rows`: as many cells as columns each. A column whose cells are all empty is left out. `missing`: in place of an
/// empty cell of a column that is shown. `css`: the class of the table, or empty.
std::string cell_table(const std::vector<Column>& columns, const std::vector<std::vector<Cell>>& rows,
                       const std::string& missing = "", const std::string& css = "");

}  // namespace rv::pages
