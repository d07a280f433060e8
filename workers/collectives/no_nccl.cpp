// Replaces communicator_nccl.cpp and rank_exchange.cpp in a build without CUDA or without NCCL's header.
#include "workers/collectives/communicator.h"
#include "workers/collectives/rank_exchange.h"

namespace rv::workers {

std::unique_ptr<Communicator> nccl_communicator(Peer&, const Device&) {
  return nullptr;
}

std::unique_ptr<RankExchange> rank_exchange(Peer&, Communicator&, std::size_t) {
  return nullptr;
}

}  // namespace rv::workers
