// What each two ranks reach, as shades.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/accept/judgement.h"

namespace rv::accept {

/// A number per pair of ranks, as shades. Missing pairs stay empty.
std::string pair_map_svg(const std::vector<std::vector<std::optional<double>>>& matrix, const std::string& unit);

/// A map for each place; of many nodes those that did not pass, and one of the others' medians. Empty without p2p.
std::string pairs_html(const Judgement& judgement);

}  // namespace rv::accept
