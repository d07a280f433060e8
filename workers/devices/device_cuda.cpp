#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include "workers/devices/cublas_library.h"
#include "workers/devices/device.h"

namespace rv::workers {
namespace {

/// cuBLASLt's version; empty if it cannot be loaded: its users report that error.
std::string cublas_version() {
  try {
    const auto version = CublasLt().get_version();
    return fmt::format("{}.{}.{}", version / 10000, version / 100 % 100, version % 100);
  } catch (const std::exception&) {
    return "";
  }
}

/// The UUID as nvidia-smi prints it: 4E0F… → GPU-4e0f….-…. A MIG slice has its own UUID, and "MIG" in its model name.
std::string uuid_text(const cudaUUID_t& uuid, const std::string& model) {
  std::string text = model.find(" MIG ") != std::string::npos ? "MIG-" : "GPU-";
  for (int i = 0; i < 16; ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += fmt::format("{:02x}", static_cast<unsigned char>(uuid.bytes[i]));
  }
  return text;
}

}  // namespace

Gpus visible_gpus() {
  Gpus gpus;
  int driver = 0, runtime = 0, count = 0;
  cudaRuntimeGetVersion(&runtime);
  gpus.runtime_version = cuda_version_text(runtime);
  if (cudaDriverGetVersion(&driver) != cudaSuccess || driver == 0) {
    gpus.reason = "no_gpu";
    gpus.detail = "no CUDA driver on this host";
    return gpus;
  }
  gpus.driver_version = cuda_version_text(driver);
  gpus.cublas_version = cublas_version();
  const auto status = cudaGetDeviceCount(&count);
  if (status == cudaErrorNoDevice || (status == cudaSuccess && count == 0)) {
    gpus.reason = "no_gpu";
    gpus.detail =
        "the CUDA driver reports no GPU for this process; in a job, request one and check CUDA_VISIBLE_DEVICES";
    return gpus;
  }
  if (status != cudaSuccess) {
    gpus.reason = status == cudaErrorInsufficientDriver ? "driver_too_old" : "cuda_error";
    gpus.detail = fmt::format("{}: {} (driver runs CUDA {}, this program is built with {})", gpus.reason,
                              cudaGetErrorString(status), gpus.driver_version, gpus.runtime_version);
    // Error 802: on a node with NVSwitches CUDA waits for the fabric manager's set-up.
    if (status == cudaErrorSystemNotReady) {
      gpus.detail += "; check that the fabric manager runs: systemctl status nvidia-fabricmanager";
    }
    return gpus;
  }
  for (int i = 0; i < count; ++i) {
    cudaDeviceProp properties{};
    if (const auto bad = cudaGetDeviceProperties(&properties, i); bad != cudaSuccess) {
      // With one unreadable card the node must not look like a healthy node with fewer cards.
      gpus.reason = "cuda_error";
      gpus.detail = fmt::format("gpu {} of {} cannot be read: {}", i, count, cudaGetErrorString(bad));
      return gpus;
    }
    Device device;
    device.index = i;
    device.model = properties.name;
    device.uuid = uuid_text(properties.uuid, properties.name);
    device.pci_bus_id =
        fmt::format("{:08X}:{:02X}:{:02X}.0", properties.pciDomainID, properties.pciBusID, properties.pciDeviceID);
    device.memory_bytes = properties.totalGlobalMem;
    device.compute_capability = properties.major * 10 + properties.minor;
    gpus.devices.push_back(std::move(device));
  }
  return gpus;
}

}  // namespace rv::workers
