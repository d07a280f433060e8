#include "workers/collectives/rank_exchange.h"

#include "workers/devices/cuda_call.h"

namespace rv::workers {
namespace {

class RanksByNccl : public RankExchange {
 public:
  RanksByNccl(Peer& peer, Communicator& communicator, std::size_t bytes)
      : peer_(peer), communicator_(communicator), own_(bytes) {
    cuda_call(cudaMemset(own_.as(), 0, bytes), "clear GPU memory");
    cuda_call(cudaDeviceSynchronize(), "clear GPU memory");
  }
  char* memory() const override { return own_.as<char>(); }

  int send(const void* from, const Moves& moves, void* stream) override {
    std::vector<SentTo> sent;
    std::vector<ReceivedFrom> received;
    for (int other = 0; other < peer_.world(); ++other) {
      if (other == peer_.rank()) continue;
      const auto there = moves(peer_.rank(), other), here = moves(other, peer_.rank());
      if (there.bytes > 0) sent.push_back({other, static_cast<const char*>(from) + there.from, there.bytes});
      if (here.bytes > 0) received.push_back({other, memory() + here.to, here.bytes});
    }
    communicator_.swap_on(sent, received, stream);
    return 0;
  }
  // Sends and receives on a stream wait for earlier work, and later work waits for them.
  void await(int, void*) override {}
  void used(void*) override {}
  std::string way() const override { return communicator_.library(); }

 private:
  Peer& peer_;
  Communicator& communicator_;
  DeviceMemory own_;
};

}  // namespace

std::unique_ptr<RankExchange> rank_exchange(Peer& peer, Communicator& communicator, std::size_t bytes) {
  if (auto copies = rank_copies(peer, communicator.device(), bytes)) return copies;
  return std::make_unique<RanksByNccl>(peer, communicator, bytes);
}

}  // namespace rv::workers
