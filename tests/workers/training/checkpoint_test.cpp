#include "workers/training/checkpoint.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <string>

#include "tests/base/temporary_folder.h"
#include "tests/workers/error_of.h"
#include "workers/devices/random_input.h"

using namespace rv::workers;
using rv::tests::error_of;

namespace {

/// A checkpoint file with these counts in its header and nothing behind it but its checksum, which is right.
std::string file_with(std::int64_t step, std::uint64_t losses, std::uint64_t state) {
  std::string bytes = "rvtrain2";
  for (const auto number : {static_cast<std::uint64_t>(step), std::uint64_t{64}, losses, state}) {
    bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
  }
  std::uint64_t sum = bytes.size();
  for (std::size_t i = 0; i < bytes.size(); ++i) sum += checksum_term(i, static_cast<unsigned char>(bytes[i]));
  bytes.append(reinterpret_cast<const char*>(&sum), sizeof sum);
  return bytes;
}

}  // namespace

TEST_CASE("counts in a checkpoint's header that overflow or exceed the file are refused, as is a negative step") {
  const TemporaryFolder folder;
  folder.write("rv-train.checkpoint", file_with(7, 0, 0));
  CHECK(load_checkpoint(folder.path()).checkpoint->step == 7);
  constexpr std::uint64_t most = ~std::uint64_t{0};
  for (const auto& bytes : {file_with(7, std::uint64_t{1} << 61, 0), file_with(7, 0, std::uint64_t{1} << 62),
                            file_with(7, most, most), file_with(7, 2, 0), file_with(7, 0, 3), file_with(-1, 0, 0)}) {
    folder.write("rv-train.checkpoint", bytes);
    CHECK(error_of([&] { load_checkpoint(folder.path()); }) != "");
  }
}
