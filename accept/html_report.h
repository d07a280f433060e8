// The acceptance as one page that needs nothing else: no script, no other file, nothing from the network.
#pragma once

#include <chrono>
#include <string>

#include "accept/judgement.h"
#include "accept/order.h"

namespace rv::accept {

/// Verdict, findings, bars per GPU, bandwidth curves, p2p heat maps, tables. `where`: the run's ID or the folder's
/// name.
std::string html_report(const Order& order, const Judgement& judgement, const std::string& where,
                        std::chrono::sys_seconds time);

}  // namespace rv::accept
