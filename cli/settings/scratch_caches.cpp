#include "cli/settings/scratch_caches.h"

#include <array>

#include "base/trust/private_folder.h"

namespace rv {

void check_scratch_caches(const std::string& scratch) {
  constexpr std::array names{"environments", "pip",         "uv",   "conda", "micromamba", "pixi",
                             "triton",       "huggingface", "vllm", "torch", "wandb"};
  for (const char* name : names) {
    trust::check_private_folder(scratch + "/" + name, "set scratch in the settings to another folder");
  }
}

}  // namespace rv
