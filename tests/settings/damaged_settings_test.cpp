// Settings files, damaged: refused with a place, or read.
#include <string>

#include "cli/settings/config_file.h"
#include "cli/settings/settings.h"
#include "tests/damaged.h"

using namespace rv;
using test::survives;

TEST_CASE("damaged settings are refused or read") {
  const std::string whole =
      "scratch: /scratch/ann  # mine\nfanout: 3\nhead_start: 1.5\nhost: ann@login\nsync: yes\naccount: \"lab\"\n"
      "time: 2:59:00\nsetup:\n  - module load cuda\n  - |\n    echo two\navoid_partitions: [a, b]\n"
      "gpus:\n  - {name: b200, vram: 180G, gres: [b200]}\naliases:\n  big: [h200, b200]\n";
  survives(
      [](auto text) {
        Settings settings;
        apply_settings(settings, text, "config.yaml");
      },
      whole, 1000);
  survives([](auto text) { with_setting(text, "host", "login"); }, whole, 1000);
}
