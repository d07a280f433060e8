// The part of NVML that rv-stress calls, for $STAND_IN_GPUS GPUs of 80 GiB. $STAND_IN_PROCESSES is a file with a line
// "GPU PID" for each process on one. With $STAND_IN_MIG the first GPU is in MIG mode, with two slices of 10 GiB.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

constexpr int success = 0, not_found = 6;
constexpr int most = 16, slices = 2;

/// A GPU's number; a slice's is `most` and its own.
struct Stand {
  int number = 0;
};

Stand* stand(int number) {
  static Stand all[most + slices];
  all[number].number = number;
  return &all[number];
}

int gpus() {
  const char* const count = std::getenv("STAND_IN_GPUS");
  return count == nullptr ? 0 : std::atoi(count);
}

bool has_slices() {
  return std::getenv("STAND_IN_MIG") != nullptr;
}

int number_of(void* gpu) {
  return static_cast<Stand*>(gpu)->number;
}

std::string uuid_of(int number) {
  return number < most ? "GPU-stand-in-" + std::to_string(number) : "MIG-stand-in-" + std::to_string(number - most);
}

int say(char* text, unsigned size, const std::string& words) {
  std::snprintf(text, size, "%s", words.c_str());
  return success;
}

struct Process {
  unsigned pid;
  unsigned long long used;
  unsigned gpu_instance, compute_instance;
};

struct Pci {
  char legacy[16];
  unsigned domain, bus, device, device_id, subsystem_id;
  char bus_id[32];
};

}  // namespace

extern "C" {
int nvmlInit_v2() {
  return success;
}
int nvmlShutdown() {
  return success;
}
int nvmlSystemGetDriverVersion(char* text, unsigned size) {
  return say(text, size, "0.0");
}
int nvmlDeviceGetCount_v2(unsigned* count) {
  *count = static_cast<unsigned>(gpus());
  return success;
}
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void** gpu) {
  *gpu = stand(static_cast<int>(index));
  return success;
}
int nvmlDeviceGetHandleByUUID(const char* uuid, void** gpu) {
  for (int i = 0; i < most + slices; ++i) {
    if (uuid_of(i) != uuid) continue;
    *gpu = stand(i);
    return success;
  }
  return not_found;
}
int nvmlDeviceGetHandleByPciBusId_v2(const char* bus, void** gpu) {
  *gpu = stand(std::atoi(bus));
  return success;
}
int nvmlDeviceGetUUID(void* gpu, char* text, unsigned size) {
  return say(text, size, uuid_of(number_of(gpu)));
}
int nvmlDeviceGetName(void* gpu, char* text, unsigned size) {
  return say(text, size, number_of(gpu) < most ? "Stand-in 80GB" : "Stand-in 80GB MIG 1g.10gb");
}
int nvmlDeviceGetPciInfo_v3(void* gpu, Pci* pci) {
  return say(pci->bus_id, sizeof pci->bus_id, std::to_string(number_of(gpu)));
}
int nvmlDeviceGetMemoryInfo(void* gpu, unsigned long long* info) {
  info[0] = (number_of(gpu) < most ? 80ULL : 10ULL) << 30U;
  info[2] = 500ULL << 20U;
  info[1] = info[0] - info[2];
  return success;
}
int nvmlDeviceGetMigMode(void* gpu, unsigned* now, unsigned* next) {
  *now = *next = has_slices() && number_of(gpu) == 0 ? 1 : 0;
  return success;
}
int nvmlDeviceGetMaxMigDeviceCount(void*, unsigned* count) {
  *count = 7;
  return success;
}
int nvmlDeviceGetMigDeviceHandleByIndex(void*, unsigned index, void** slice) {
  if (index >= slices) return not_found;
  *slice = stand(most + static_cast<int>(index));
  return success;
}
int nvmlDeviceGetComputeRunningProcesses_v3(void* gpu, unsigned* count, Process* processes) {
  const unsigned room = *count;
  *count = 0;
  const char* const path = std::getenv("STAND_IN_PROCESSES");
  std::FILE* const file = path == nullptr ? nullptr : std::fopen(path, "re");
  if (file == nullptr) return success;
  int number = 0;
  unsigned pid = 0;
  while (*count < room && std::fscanf(file, "%d %u", &number, &pid) == 2) {
    if (number == number_of(gpu)) processes[(*count)++] = {pid, 1ULL << 20U, 0, 0};
  }
  std::fclose(file);
  return success;
}
}
