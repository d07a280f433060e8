#include <fmt/format.h>

#include "cli/load/place.h"

namespace rv::cli {

int run_load(Load& load, LoadPlace&& place) {
  if (const auto code = place.reach(load)) return *code;
  if (load.options().dry_run) {
    load.show();
    return 0;
  }
  const auto end = place.run(load);
  if (end.interrupted != 0) {
    const auto next = load.after_interrupt();
    fmt::print(stderr, "rv: {}{}{}\n", place.interrupted_text(), next.empty() ? "" : "; ", next);
    return end.interrupted;
  }
  if (end.no_container && !load.options().container.image.empty()) return load.end_without_container(*end.no_container);
  return load.judge(end.troubles);
}

}  // namespace rv::cli
