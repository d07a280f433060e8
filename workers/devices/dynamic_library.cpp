#include "workers/devices/dynamic_library.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>

#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <set>
#include <stdexcept>

namespace rv::workers {

namespace {

std::mutex taken_lock;
std::set<std::string> taken;

/// The path of a loaded library; empty if the loader does not report it.
std::string file_of(void* handle) {
  link_map* found = nullptr;
  if (dlinfo(handle, RTLD_DI_LINKMAP, &found) != 0) return "";
  std::error_code fault;
  const auto file = std::filesystem::canonical(found->l_name, fault);
  return fault ? std::string(found->l_name) : file.string();
}

void remember(const std::string& file) {
  if (file.empty()) return;
  const std::lock_guard lock(taken_lock);
  taken.insert(file);
}

/// Folders of a CUDA toolkit that may not be in the loader's configuration.
std::vector<std::string> toolkit_folders() {
  std::vector<std::string> folders;
  if (const auto* const home = std::getenv("CUDA_HOME"); home != nullptr && *home != 0) {
    folders.emplace_back(home);
  }
  folders.emplace_back("/usr/local/cuda");
  return folders;
}

std::string loaders_words() {
  const auto* const said = dlerror();
  return said != nullptr ? said : "no reason given";
}

}  // namespace

DynamicLibrary::DynamicLibrary(const char* name, const char* purpose)
    : name_(name), handle_(dlopen(name, RTLD_NOW | RTLD_LOCAL)) {
  std::string why = handle_ == nullptr ? loaders_words() : "";
  for (const auto& folder : toolkit_folders()) {
    // lib64 is usually a link to targets/x86_64-linux/lib, but not in every installation.
    for (const auto* const libraries : {"/lib64/", "/targets/x86_64-linux/lib/"}) {
      const auto file = folder + libraries + name;
      if (handle_ != nullptr) continue;
      handle_ = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
      // If the file exists but can't be loaded, the loader's message usually names another missing library.
      if (handle_ == nullptr && std::filesystem::exists(file)) why = fmt::format("{}: {}", file, loaders_words());
    }
  }
  if (handle_ == nullptr) {
    throw MissingLibrary(fmt::format("cannot load {0} ({2}), which is needed to {1}; add its folder to LD_LIBRARY_PATH",
                                     name, purpose, why));
  }
  file_ = file_of(handle_);
  remember(file_);
}

void* DynamicLibrary::address(const char* symbol, bool needed) const {
  auto* const found = dlsym(handle_, symbol);
  if (found == nullptr && needed) {
    throw std::runtime_error(fmt::format("{} has no {}: it is too old for this worker", name_, symbol));
  }
  return found;
}

std::vector<std::string> libraries_taken() {
  const std::lock_guard lock(taken_lock);
  return {taken.begin(), taken.end()};
}

}  // namespace rv::workers
