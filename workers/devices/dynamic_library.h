#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace rv::workers {

/// A required shared library can't be loaded.
class MissingLibrary : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A shared library that is loaded when it is needed, not when the program starts: a worker also runs on hosts without
/// it, as long as its functions are not used. It is never unloaded, because CUDA's libraries do not support that. It is
/// searched for in LD_LIBRARY_PATH, in the worker's own folders (lib beside the worker, or ../lib/rv), in the toolkit
/// of the build, in the loader's default folders, in $CUDA_HOME and in /usr/local/cuda, in this order.
class DynamicLibrary {
 public:
  /// `purpose` completes the sentence "… is needed to". Throws MissingLibrary with the loader's message.
  DynamicLibrary(const char* name, const char* purpose);

  /// Sets `function` to the address of `symbol`. Throws std::runtime_error if the library does not have it (it is too
  /// old).
  template <class Function>
  void find(Function& function, const char* symbol) const {
    function = reinterpret_cast<Function>(address(symbol, true));
  }
  /// Sets `function` to the address of `symbol`, or to null if the library does not have it.
  template <class Function>
  void find_if_there(Function& function, const char* symbol) const {
    function = reinterpret_cast<Function>(address(symbol, false));
  }

  /// The path of the loaded file, with links resolved.
  const std::string& file() const { return file_; }

 private:
  void* address(const char* symbol, bool needed) const;

  std::string name_, file_;
  void* handle_;
};

/// The files that this process has loaded through DynamicLibrary so far, sorted. Links are resolved, so that the name
/// contains the version.
std::vector<std::string> libraries_taken();

}  // namespace rv::workers
