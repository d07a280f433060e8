#include "cli/sweep/sweep_compare.h"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/os/atomic_file.h"
#include "base/os/user_name.h"
#include "cli/json/values_json.h"
#include "cli/sweep/drive/report_folder.h"
#include "cli/views/sweep_view.h"
#include "reports/sweep/page.h"

namespace rv::cli {

int compare_sweeps(const std::string& first, const std::string& second, const std::string& report_dir,
                   const Invocation& invocation) {
  const auto read = [](const std::string& path) {
    const sweep::ReportFolder folder(path);
    return sweep::Sweep{folder.order(), folder.results()};
  };
  const auto one = read(first), other = read(second);
  const auto comparison = sweep::compare(one, other);
  const auto document = json_text(to_json(comparison));
  if (!report_dir.empty()) {
    std::filesystem::create_directories(report_dir);
    os::write_file(report_dir + "/compare.json", document, 0644);
    os::write_file(report_dir + "/compare.html", page(comparison, one, other, os::effective_user_name()), 0644);
  }
  fmt::print("{}", invocation.json ? document : comparison_text(comparison, one.order, invocation.terminal));
  return 0;
}

}  // namespace rv::cli
