// Keeps a GPU's memory but for the given MiB, until its stdin ends: another program on the GPU, for tests of what a
// worker says then. Prints "holding" once it has the memory.
#include <cuda_runtime_api.h>

#include <cstdio>
#include <cstdlib>

int main(int count, char** words) {
  if (count != 2) {
    std::fprintf(stderr, "usage: memory_hog MIB_LEFT_FREE\n");
    return 2;
  }
  const auto left = static_cast<std::size_t>(std::atoll(words[1])) << 20;
  std::size_t free = 0, total = 0;
  void* memory = nullptr;
  if (cudaMemGetInfo(&free, &total) != cudaSuccess || free <= left || cudaMalloc(&memory, free - left) != cudaSuccess) {
    std::fprintf(stderr, "memory_hog: can't take %zu MiB\n", (free - left) >> 20);
    return 3;
  }
  std::printf("holding\n");
  std::fflush(stdout);
  while (std::getchar() != EOF) continue;
  return 0;
}
