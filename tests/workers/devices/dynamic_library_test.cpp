#include "workers/devices/dynamic_library.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <string>

#include "tests/base/temporary_folder.h"
#include "tests/workers/error_of.h"

using namespace rv::tests;
using namespace rv::workers;

TEST_CASE(
    "the error for a missing library is the loader's message, for one that exists the reason why it can't be loaded") {
  const TemporaryFolder toolkit;
  setenv("CUDA_HOME", toolkit.path().c_str(), 1);
  const auto error = [] {
    return error_of([] { const DynamicLibrary library("librv_nowhere.so.7", "test the loader"); });
  };
  const auto nowhere = error();
  CHECK(nowhere.find("cannot load librv_nowhere.so.7 (") == 0);
  CHECK(nowhere.find("(librv_nowhere.so.7: ") != std::string::npos);
  const std::string file = "targets/x86_64-linux/lib/librv_nowhere.so.7";
  toolkit.write(file, std::string(100, '.'));
  CHECK(error().find((toolkit / file).string() + ": invalid ELF header") != std::string::npos);
  unsetenv("CUDA_HOME");
}
