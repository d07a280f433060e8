// Findings by what is behind them, for people: one GPU that is slow is found by every suite.
#pragma once

#include <string>
#include <vector>

#include "reports/accept/judgement.h"

namespace rv::accept {

/// What one place, or one kind of trouble at several places, gave rise to.
struct Cause {
  Verdict verdict = Verdict::error;      // the worst of its findings
  std::string title;                     // "n1 gpu 2 (GPU-…)", "12 GPUs on 3 nodes"
  std::string advice;                    // one: what to do first
  std::vector<const Finding*> findings;  // borrowed, the nearest to the cause first
};

/// Every finding once: of the findings that are left, the most that one place or one advice explains are a cause, worst
/// and largest first. If one of them slows a GPU, such as another process on it, slow copies and collectives that this
/// GPU takes part in are added to it.
std::vector<Cause> causes_of(const std::vector<Finding>& findings);

}  // namespace rv::accept
