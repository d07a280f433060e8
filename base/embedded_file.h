// Files that the build embeds in the binary.
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
std::span<const EmbeddedFile> baselines();
std::span<const EmbeddedFile> licences();
std::span<const EmbeddedFile> page_files();
std::span<const EmbeddedFile> remote_scripts();
std::span<const EmbeddedFile> project_scripts();
}  // namespace embedded

}  // namespace rv
