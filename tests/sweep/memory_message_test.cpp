#include "reports/sweep/memory_message.h"

#include <doctest/doctest.h>

namespace rv::sweep {

TEST_CASE("the memory of a GPU that was not enough, as simulators and frameworks word it") {
  for (const auto* const line :
       {"Warp CUDA error 2: out of memory (in function alloc_device_async, /warp/native/warp.cu:588)",
        "[Error] [carb.graphics-vulkan.plugin] VkResult: ERROR_OUT_OF_DEVICE_MEMORY",
        "jaxlib.xla_extension.XlaRuntimeError: RESOURCE_EXHAUSTED: Failed to allocate request for 2.99GiB",
        "tensorflow.python.framework.errors_impl.ResourceExhaustedError: OOM when allocating tensor with shape[9,9]",
        "ValueError: Free memory on device (31.44/47.38 GiB) on startup is less than desired GPU memory utilization",
        "ValueError: No available memory for the cache blocks. Try increasing `gpu_memory_utilization`",
        "torch.OutOfMemoryError: HIP out of memory. Tried to allocate 124.00 MiB.",
        "cupy.cuda.memory.OutOfMemoryError: Out of memory allocating 8,589,934,592 bytes",
        "what():  std::bad_alloc: cudaErrorMemoryAllocation: out of memory",
        "terminate called after throwing an instance of 'thrust::system::detail::bad_alloc'",
        "ggml_backend_cuda_buffer_type_alloc_buffer: allocating 4507.00 MiB on device 0: cudaMalloc failed: out of "
        "memory",
        "PxgCudaDeviceMemoryAllocator fail to allocate memory 67108864 bytes!! Result = 2"}) {
    CAPTURE(line);
    const auto message = memory_message_in(line);
    REQUIRE(message);
    CHECK(!message->of_host);
  }
}

TEST_CASE("the memory of the host") {
  for (const auto* const line : {"terminate called after throwing an instance of 'std::bad_alloc'", "MemoryError",
                                 "slurmstepd: error: Detected 1 oom_kill event in StepId=7.batch.",
                                 "RuntimeError: [enforce fail] DefaultCPUAllocator: can't allocate memory"}) {
    CAPTURE(line);
    CHECK(memory_message_in(line).value().of_host);
  }
}

TEST_CASE("other text is not such a message") {
  for (const auto* const line : {"memory: 12 GiB of 80 GiB used", "fork: Cannot allocate memory",
                                 "RuntimeError: CUDA error: invalid device ordinal", ""}) {
    CHECK(!memory_message_in(line));
  }
}

}  // namespace rv::sweep
