// A judgement for people and for programs.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "base/os/terminal.h"
#include "reports/accept/judgement.h"
#include "reports/accept/order.h"

namespace rv::cli {

/// A table per node and GPU, the findings by cause as on the page, and the verdict in the last line.
std::string judgement_text(const accept::Order& order, const accept::Judgement& judgement,
                           const os::Terminal& terminal);

/// The workers in --dry-run: a line for each step, with its command.
std::string steps_text(const accept::Order& order);

/// docs/json.md, "accept". `where`: the run's ID or the folder.
nlohmann::ordered_json judgement_json(const accept::Order& order, const accept::Judgement& judgement,
                                      const std::string& where);

}  // namespace rv::cli
