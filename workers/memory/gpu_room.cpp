#include "workers/devices/cuda_call.h"
#include "workers/memory/room.h"

namespace rv::workers {

std::optional<Room> gpu_room() {
  Room room;
  cuda_call(cudaMemGetInfo(&room.free, &room.total), "ask for free memory");
  return room;
}

}  // namespace rv::workers
