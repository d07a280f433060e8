#include "cli/load/load_container.h"

#include <fmt/format.h>

#include "base/quote.h"
#include "cli/launch/no_container.h"

namespace rv::cli {

std::string lines_on_host(const HostPlace& place, Container container, const std::vector<std::string>& argv,
                          HostScript& script) {
  container.mounts.push_back(place.workers);
  container.message_file = place.reports() + "/" + container_message_file;
  if (!container.image.empty()) script.add("container", "600", container_start());
  return fmt::format("export RV_RUN_DIR={}\nmkdir -p {}\nexec {}\n", quote(place.folder), quote(place.reports()),
                     quote_all(container.command(argv)));
}

std::vector<std::string> command_here(const std::string& folder, Container container,
                                      const std::vector<std::string>& argv) {
  const auto start = folder + "/container";
  container.message_file = folder + "/" + container_message_file;
  if (!container.image.empty()) write_container_start(start);
  return container.command(argv, start);
}

}  // namespace rv::cli
