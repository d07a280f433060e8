// The acceptance as one page that needs nothing else: no other file, nothing from the network.
#pragma once

#include <string>

#include "reports/accept/judgement.h"
#include "reports/accept/order.h"
#include "reports/pages/page.h"

namespace rv::accept {

/// Verdict, the grid of nodes, findings, every GPU, bandwidth, latency, p2p maps, tables. `where`: the run's ID or the
/// folder's name.
std::string html_report(const Order& order, const Judgement& judgement, const std::string& where,
                        const pages::About& about);

}  // namespace rv::accept
