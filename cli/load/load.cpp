#include "cli/load/load.h"

#include <fmt/format.h>

#include <memory>

#include "cli/launch/no_container.h"
#include "cli/load/place.h"

namespace rv::cli {
namespace {

std::unique_ptr<LoadPlace> place_of(const LoadOptions& options) {
  if (options.kubernetes != nullptr) return std::make_unique<KubernetesPlace>();
  if (options.hosts) return std::make_unique<HostsPlace>();
  if (options.local) return std::make_unique<LocalPlace>();
  return std::make_unique<SlurmPlace>();
}

}  // namespace

void Load::begin() {
  made_.emplace(invocation_.settings.home + "/" + name_);
  prepare(folder());
}

const std::string& Load::begin_for(const std::string& name) {
  pods_ = name;
  return made_.emplace(invocation_.settings.home + "/" + name_).path();
}

void Load::keep() {
  if (made_) made_->keep();
}

int Load::end_without_container(const std::string& host) {
  made_->discard();
  const auto reports_of_host = host.empty() ? folder() : reports() + "/" + host;
  throw_no_container(options_.container.image, reports_of_host + "/" + container_message_file);
}

int LoadPlace::show(Load& load) {
  load.show();
  return 0;
}

int run_load(Load& load) {
  const auto place = place_of(load.options());
  if (const auto code = place->reach(load)) return *code;
  if (load.options().dry_run) return place->show(load);
  for (;;) {
    const auto end = place->run(load);
    if (end.exit_code) return *end.exit_code;
    if (end.interrupted != 0) {
      const auto next = load.after_interrupt();
      fmt::print(stderr, "rv: {}{}{}\n", place->interrupted_text(), next.empty() ? "" : "; ", next);
      return end.interrupted;
    }
    if (end.no_container && !load.options().container.image.empty()) {
      return load.end_without_container(*end.no_container);
    }
    if (end.troubles.empty() && load.goes_on()) continue;
    return load.judge(end.troubles);
  }
}

}  // namespace rv::cli
