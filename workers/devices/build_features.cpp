#include "workers/devices/build_features.h"

namespace rv::workers {

bool built_with_gloo() {
  return RV_BUILT_WITH_GLOO;
}

bool built_with_nccl() {
  return RV_BUILT_WITH_NCCL;
}

}  // namespace rv::workers
