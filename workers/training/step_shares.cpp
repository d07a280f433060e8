#include "workers/training/step_shares.h"

#include <algorithm>

namespace rv::workers {

StepShares shares_of(const StepTimes& times) {
  if (!(times.whole > 0)) return {};
  const auto alone = std::min(times.alone, times.whole);
  const auto computing = std::min(times.computing, alone);
  return {computing / times.whole, (alone - computing) / times.whole, (times.whole - alone) / times.whole};
}

nlohmann::ordered_json to_json(const StepShares& shares) {
  return {{"compute", shares.compute}, {"input", shares.input}, {"communication", shares.communication}};
}

}  // namespace rv::workers
