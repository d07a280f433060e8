#pragma once

#include <string>

namespace rv::workers {

/// A shared library that is looked for when it is needed, not when the program starts: a worker runs on hosts that
/// lack it as long as nobody asks for what is in it. Never unloaded: CUDA's libraries do not bear it.
class DynamicLibrary {
 public:
  /// `purpose` completes "… is needed to". Throws std::runtime_error that says where it was looked for.
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

 private:
  void* address(const char* symbol, bool needed) const;

  std::string name_;
  void* handle_;
};

}  // namespace rv::workers
