// A file that travels inside the binary.
#pragma once

#include <span>
#include <string_view>

namespace rv {

struct EmbeddedFile {
  std::string_view name;  // base name, "holding_job.sbatch"
  std::string_view text;
};

namespace embedded {
std::span<const EmbeddedFile> templates();
std::span<const EmbeddedFile> catalogue();
}  // namespace embedded

}  // namespace rv
