#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace rv::workers {

/// A shared library that is needed and can't be loaded.
class MissingLibrary : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A shared library that is looked for when it is needed, not when the program starts: a worker runs on hosts that
/// lack it as long as nobody asks for what is in it. Never unloaded: CUDA's libraries do not bear it. It is taken from
/// LD_LIBRARY_PATH, a folder of the worker's own (lib beside it, or ../lib/rv), the toolkit that built the worker,
/// where the loader looks for all, $CUDA_HOME, or /usr/local/cuda: the first that has it.
class DynamicLibrary {
 public:
  /// `purpose` completes "… is needed to". Throws MissingLibrary with the loader's words.
  DynamicLibrary(const char* name, const char* purpose);

  /// Throws std::runtime_error if the library is too old to have it.
  template <class Function>
  void find(Function& function, const char* symbol) const {
    function = reinterpret_cast<Function>(address(symbol, true));
  }
  /// Null where the library has no such function.
  template <class Function>
  void find_if_there(Function& function, const char* symbol) const {
    function = reinterpret_cast<Function>(address(symbol, false));
  }

  /// The file that it was taken from, links followed.
  const std::string& file() const { return file_; }

 private:
  void* address(const char* symbol, bool needed) const;

  std::string name_, file_;
  void* handle_;
};

/// The files that this process has taken by DynamicLibrary so far, sorted; links are followed, so that the name tells
/// the version.
std::vector<std::string> libraries_taken();

}  // namespace rv::workers
