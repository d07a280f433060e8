// Reads settings of a site, of a user and of a project, and the baselines of an acceptance.
#include "cli/settings/settings.h"

#include "cli/project/project_settings.h"
#include "cli/settings/config_file.h"
#include "reports/accept/baseline_yaml.h"
#include "tests/fuzz/target.h"

using namespace rv;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = fuzz::text_of(data, size);
  fuzz::read_or_refuse([&] {
    Settings settings;
    apply_settings(settings, text, "site.yaml");
  });
  fuzz::read_or_refuse([&] { with_setting(text, "host", "login"); });
  fuzz::read_or_refuse([&] { project::parse_project_settings(text, ".rv.yaml"); });
  fuzz::read_or_refuse([&] { accept::parse_baselines(text, "baselines.yaml"); });
  return 0;
}
