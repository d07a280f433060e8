#include "cli/acceptance/accept_load.h"

#include <fmt/format.h>

#include "cli/acceptance/acceptance_folder.h"
#include "cli/acceptance/write_verdict.h"
#include "cli/views/accept_view.h"

namespace rv::cli {

AcceptLoad::AcceptLoad(const AcceptOptions& options, const Invocation& invocation)
    : Load({*options.request, options.container, options.local, options.detach, options.dry_run}, invocation,
           acceptance_folders(invocation.settings.home)),
      options_(options) {}

void AcceptLoad::show() const {
  fmt::print("{}", steps_text(order_));
}

void AcceptLoad::prepare(const std::string& folder) {
  prepare_acceptance(folder, order_, workers_);
  made().keep();  // also after Ctrl-C, for --judge
}

std::string AcceptLoad::after_interrupt() {
  return fmt::format("rv accept --judge {} judges the reports", made().path());
}

int AcceptLoad::judge(const std::vector<WorkTrouble>& troubles) {
  std::vector<accept::Finding> findings;
  for (const auto& trouble : troubles) {
    if (trouble.host.empty()) {
      return write_verdict(made().path(), made().name(), trouble.what, options_, invocation());
    }
    findings.push_back({.verdict = Verdict::error,
                        .subject = {.node = trouble.host, .gpu_index = std::nullopt, .gpu_uuid = {}, .model = {}},
                        .rank = std::nullopt,
                        .what = trouble.what + "; the work was ended on all hosts",
                        .advice = trouble.advice});
  }
  return write_verdict(made().path(), made().name(), findings, options_, invocation());
}

}  // namespace rv::cli
