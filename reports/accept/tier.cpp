#include "reports/accept/tier.h"

#include <algorithm>
#include <array>

namespace rv::accept {
namespace {

// rv-health needs no CUDA context: a fifth of a second on two H100s.
constexpr std::array prolog = {Suite::health};
constexpr std::array preflight = {Suite::health, Suite::compute, Suite::collective};
constexpr std::array pre_job = {Suite::health, Suite::compute, Suite::p2p};
constexpr std::array idle = {Suite::health,     Suite::compute, Suite::memory, Suite::p2p,
                             Suite::collective, Suite::train,   Suite::ddp};
constexpr std::array weekly = {Suite::health, Suite::compute, Suite::memory,   Suite::p2p,         Suite::collective,
                               Suite::train,  Suite::ddp,     Suite::resnet50, Suite::transformer, Suite::io};

// The gate of a run takes at most 20 s: the workers' time, and time to end what hangs and to judge.
constexpr int preflight_seconds = 16;

constexpr std::array tiers = {
    Tier{"prolog", prolog, false, true}, Tier{"preflight", preflight, false, false, preflight_seconds},
    Tier{"pre-job", pre_job, false, false}, Tier{"idle", idle, true, false}, Tier{"weekly", weekly, true, false}};

}  // namespace

std::span<const Tier> all_tiers() {
  return tiers;
}

const Tier* tier_named(std::string_view name) {
  const auto* const found = std::find_if(tiers.begin(), tiers.end(), [&](const Tier& one) { return one.name == name; });
  return found == tiers.end() ? nullptr : found;
}

}  // namespace rv::accept
