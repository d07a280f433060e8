#include "workers/devices/dynamic_library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <stdexcept>

namespace rv::workers {

DynamicLibrary::DynamicLibrary(const char* name, const char* purpose)
    : name_(name), handle_(dlopen(name, RTLD_NOW | RTLD_LOCAL)) {
  if (handle_ != nullptr) return;
  const auto* const why = dlerror();
  throw std::runtime_error(
      fmt::format("{} is needed to {}, and cannot be loaded ({}); add its folder to LD_LIBRARY_PATH", name, purpose,
                  why != nullptr ? why : "no reason given"));
}

void* DynamicLibrary::address(const char* symbol, bool needed) const {
  auto* const found = dlsym(handle_, symbol);
  if (found == nullptr && needed) {
    throw std::runtime_error(fmt::format("{} has no {}: it is too old for this worker", name_, symbol));
  }
  return found;
}

}  // namespace rv::workers
