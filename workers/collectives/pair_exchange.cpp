#include "workers/collectives/pair_exchange.h"

#include "workers/devices/cuda_call.h"

namespace rv::workers {
namespace {

class PairByNccl : public PairExchange {
 public:
  PairByNccl(Communicator& communicator, std::size_t bytes) : communicator_(communicator), received_(bytes) {}
  void* received() const override { return received_.as(); }
  void swap(const void* mine, std::size_t offset, std::size_t bytes, void* stream) override {
    communicator_.swap_on(mine, received_.as<char>() + offset, bytes, stream);
  }
  void used(void*) override {}  // a stream's sends and receives wait for what is before them
  std::string way() const override { return communicator_.library(); }

 private:
  Communicator& communicator_;
  DeviceMemory received_;
};

}  // namespace

std::unique_ptr<PairExchange> pair_exchange(Peer& peer, Communicator& communicator, std::size_t bytes) {
  if (auto copies = pair_copies(peer, communicator.device(), bytes)) return copies;
  return std::make_unique<PairByNccl>(communicator, bytes);
}

}  // namespace rv::workers
