#include "workers/devices/cause.h"

#include <new>

#include "workers/devices/dynamic_library.h"
#include "workers/devices/out_of_memory.h"

namespace rv::workers {

std::string cause_of(const std::exception& error) {
  if (dynamic_cast<const OutOfMemory*>(&error) != nullptr) return out_of_memory;
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr) return out_of_memory;
  if (dynamic_cast<const MissingLibrary*>(&error) != nullptr) return missing_library;
  return {};
}

}  // namespace rv::workers
