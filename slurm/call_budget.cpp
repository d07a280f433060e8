#include "slurm/call_budget.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace rv::slurm {

using std::chrono::milliseconds;

CallBudget::CallBudget(Clock clock, const Rates& rates)
    : clock_(std::move(clock)),
      rates_(rates),
      tokens_(rates.calls),
      counted_(clock_()),
      begun_(counted_),
      not_before_(counted_) {}

CallBudget::CallBudget(Clock clock) : CallBudget(std::move(clock), Rates{}) {}

double CallBudget::tokens() const {
  const double seconds = std::chrono::duration<double>(clock_() - counted_).count();
  return std::min(rates_.calls, tokens_ + seconds * rates_.per_second);
}

void CallBudget::spend(int calls) {
  tokens_ = std::max(0.0, tokens() - calls);
  counted_ = clock_();
}

void CallBudget::resume(double tokens, milliseconds ago) {
  const double since = std::chrono::duration<double>(ago).count() * rates_.per_second;
  tokens_ = std::min(rates_.calls, tokens + std::max(0.0, since));
  counted_ = clock_();
}

milliseconds CallBudget::wait() const {
  const double missing = 1 - tokens();
  const milliseconds for_token(missing > 0 ? static_cast<long>(std::ceil(missing / rates_.per_second * 1000)) : 0);
  const auto for_pause = std::chrono::ceil<milliseconds>(not_before_ - clock_());
  return std::max({for_token, for_pause, milliseconds(0)});
}

void CallBudget::begin() {
  tokens_ = tokens() - 1;
  counted_ = begun_ = clock_();
}

void CallBudget::end() {
  const auto took = std::chrono::ceil<milliseconds>(clock_() - begun_);
  pause_ = took < rates_.slow ? milliseconds(0) : std::min(rates_.longest_pause, std::max(took, 2 * pause_));
  not_before_ = clock_() + pause_;
}

}  // namespace rv::slurm
