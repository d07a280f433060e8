// All figures as tables: those with something wrong first, the others folded.
#pragma once

#include <string>

#include "reports/accept/judgement.h"

namespace rv::accept {

/// A table for each place; where there are many, one with a row for each of them.
std::string figure_tables_html(const Judgement& judgement);

}  // namespace rv::accept
