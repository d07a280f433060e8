// What an operator does about a finding.
#pragma once

#include <string>

#include "accept/evidence.h"

namespace rv::accept {

/// For a figure that failed, by its suite and name.
std::string advice_for(const Figure& figure);

}  // namespace rv::accept
