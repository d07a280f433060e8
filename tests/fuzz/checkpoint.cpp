// Reads a training's checkpoint, whose checksum is made right first.
#include "workers/training/checkpoint.h"

#include "tests/fuzz/scratch_file.h"
#include "tests/fuzz/target.h"
#include "workers/devices/random_input.h"
#include "workers/training/stored_choices.h"

using namespace rv;
using namespace rv::workers;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::ScratchFolder folder;
  std::string bytes(fuzz::text_of(data, size));
  std::uint64_t sum = bytes.size();
  for (std::size_t i = 0; i < bytes.size(); ++i) sum += checksum_term(i, static_cast<unsigned char>(bytes[i]));
  bytes.append(reinterpret_cast<const char*>(&sum), sizeof sum);
  folder.write("rv-train.checkpoint", bytes);
  fuzz::read_or_refuse<std::runtime_error>([&] {
    auto loaded = load_checkpoint(folder.path());
    take_choices(loaded.checkpoint->state);
  });
  return 0;
}
