// How every node did in every suite, at a glance.
#pragma once

#include <string>

#include "reports/accept/judgement.h"
#include "reports/accept/order.h"

namespace rv::accept {

/// A row a node, those that did not pass first; a square for each GPU and one for what they do together. Of many nodes
/// those that passed everything are small tiles, their rows folded behind them.
std::string node_grid_html(const Order& order, const Judgement& judgement);

}  // namespace rv::accept
