// A judged stress run as one HTML file that loads nothing.
#pragma once

#include <string>

#include "reports/pages/page.h"
#include "reports/stress/judgement.h"

namespace rv::stress {

/// `about`: what is not known of it is taken from the nodes' reports.
std::string page(const Judgement& judgement, const std::string& where, pages::About about);

}  // namespace rv::stress
