#include "cli/launch/no_container.h"

#include <fmt/format.h>

#include "base/os/atomic_file.h"
#include "base/text.h"
#include "monitor/diagnosis/gather_evidence.h"

namespace rv::cli {

void throw_no_container(const std::string& image, const std::string& file) {
  const auto message = os::read_file(file).value_or("");
  const auto end = message.find('\n');
  if (end == std::string::npos) {
    throw Error(fmt::format("--container {}: it could not be started", image),
                "the engine's message is above; check the name, or load the image there");
  }
  throw Error(one_line(message.substr(0, end)),
              one_line(message.substr(end + 1, message.find('\n', end + 1) - end - 1)));
}

std::optional<Error> container_error(const ContainerOptions& options, const monitor::RunFolder& run,
                                     const monitor::RunView& view, slurm::Gateway& gateway) {
  if (options.image.empty() || view.exit_code != no_container) return std::nullopt;
  const auto diagnosis = diagnose(monitor::gather_evidence(run, view, gateway));
  if (diagnosis.cause != monitor::Cause::container) return std::nullopt;
  auto what = fmt::format("--container {}: {}", options.image, diagnosis.summary);
  if (!diagnosis.proofs.empty()) {
    const auto& said = diagnosis.proofs.front().text;
    const auto at = said.find("--container");
    if (at != std::string::npos) what = said.substr(at);
  }
  return Error(one_line(what), fmt::format("{}; rv logs {} shows the engine's message", diagnosis.advice, run.id()));
}

}  // namespace rv::cli
