// Reads the runs that a login node names for ssh's configuration. No line of what is written may be the login node's.
#include "cli/open/ssh_entries.h"

#include "tests/fuzz/target.h"

using namespace rv;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = fuzz::text_of(data, size);
  fuzz::read_or_refuse([&] {
    const auto runs = cli::parse_ssh_runs(text);
    const auto config =
        cli::ssh_config_text(runs, {.program = {"rv", "-H", "login"}, .alias = "rv-login", .home = "/h"});
    std::size_t hosts = 0;
    for (std::size_t at = 0; at < config.size();) {
      const auto line = std::string_view(config).substr(at, config.find('\n', at) - at);
      at += line.size() + 1;
      if (line.starts_with("Host ")) {
        ++hosts;
        if (line.find('*') != std::string_view::npos) throw std::logic_error("an entry for all hosts");
      } else if (!line.empty() && line.front() != ' ' && line.front() != '#') {
        throw std::logic_error("a line of the login node's");
      }
    }
    if (hosts > 2 * runs.runs.size()) throw std::logic_error("more entries than runs");
  });
  return 0;
}
