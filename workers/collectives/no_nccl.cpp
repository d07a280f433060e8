// Stands in for communicator_nccl.cpp and pair_exchange.cpp in a build without CUDA or without NCCL's header.
#include "workers/collectives/communicator.h"
#include "workers/collectives/pair_exchange.h"

namespace rv::workers {

std::unique_ptr<Communicator> nccl_communicator(Peer&, const Device&) {
  return nullptr;
}

std::unique_ptr<PairExchange> pair_exchange(Peer&, Communicator&, std::size_t) {
  return nullptr;
}

}  // namespace rv::workers
