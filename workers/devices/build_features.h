// Which communication libraries this build includes.
#pragma once

namespace rv::workers {

/// gloo: collectives of ranks on the host.
bool built_with_gloo();
/// NCCL: collectives of ranks on GPUs.
bool built_with_nccl();

}  // namespace rv::workers
