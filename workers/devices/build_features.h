// What this build can talk with.
#pragma once

namespace rv::workers {

/// For ranks on the host.
bool built_with_gloo();
/// For ranks on GPUs.
bool built_with_nccl();

}  // namespace rv::workers
