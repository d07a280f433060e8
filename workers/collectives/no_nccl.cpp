// Stands in for communicator_nccl.cpp in a build without CUDA or without NCCL's header.
#include "workers/collectives/communicator.h"

namespace rv::workers {

std::unique_ptr<Communicator> nccl_communicator(Peer&, const Device&) {
  return nullptr;
}

}  // namespace rv::workers
