#include "workers/collectives/nccl_library.h"

#include <fmt/format.h>

namespace rv::workers {

Nccl::Nccl() {
  const DynamicLibrary library("libnccl.so.2", "connect GPUs");
  library.find(get_version, "ncclGetVersion");
  library.find(get_unique_id, "ncclGetUniqueId");
  library.find(get_error_string, "ncclGetErrorString");
  library.find_if_there(get_last_error, "ncclGetLastError");
  library.find(comm_init_rank, "ncclCommInitRank");
  library.find(comm_destroy, "ncclCommDestroy");
  library.find(comm_abort, "ncclCommAbort");
  library.find(comm_get_async_error, "ncclCommGetAsyncError");
  library.find(all_reduce, "ncclAllReduce");
  library.find(all_gather, "ncclAllGather");
  library.find(reduce_scatter, "ncclReduceScatter");
  library.find(broadcast, "ncclBroadcast");
  library.find(send, "ncclSend");
  library.find(recv, "ncclRecv");
  library.find(group_start, "ncclGroupStart");
  library.find(group_end, "ncclGroupEnd");
}

std::string Nccl::version() const {
  int version = 0;
  if (get_version(&version) != ncclSuccess) return "of unknown version";
  return fmt::format("{}.{}.{}", version / 10000, version / 100 % 100, version % 100);
}

}  // namespace rv::workers
