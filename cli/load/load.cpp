#include "cli/load/load.h"

#include "cli/launch/no_container.h"

namespace rv::cli {

void Load::begin() {
  made_.emplace(folders_);
  prepare(made_->path());
}

int Load::end_without_container(const std::string& host) {
  made_->discard();
  const auto folder = host.empty() ? made_->path() : reports() + "/" + host;
  throw_no_container(options_.container.image, folder + "/" + container_told);
}

}  // namespace rv::cli
