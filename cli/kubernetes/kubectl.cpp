#include "cli/kubernetes/kubectl.h"

#include <fmt/format.h>
#include <unistd.h>

#include "base/error.h"
#include "base/os/process.h"
#include "base/text.h"

namespace rv::cli {
namespace {

std::vector<std::string> kubectl_environment() {
  std::vector<std::string> all;
  for (char** one = environ; *one != nullptr; ++one) all.emplace_back(*one);
  return all;
}

}  // namespace

std::vector<KubectlResult> kubectl_each(const std::vector<std::vector<std::string>>& all) {
  std::vector<os::Command> commands;
  for (const auto& words : all) {
    commands.push_back({.argv = {"kubectl"},
                        .input = {},
                        .deadline = std::chrono::minutes(2),
                        .environment = kubectl_environment(),
                        .folder = {}});
    commands.back().argv.insert(commands.back().argv.end(), words.begin(), words.end());
  }
  std::vector<KubectlResult> answers;
  for (auto& result : os::run_all(commands)) {
    if (result.timed_out) {
      throw Error("kubectl did not answer within two minutes", "check that kubectl get nodes works");
    }
    if (result.exit_code == 127) {
      throw Error("kubectl was not found",
                  "install it, or save its output elsewhere and use --from FILE or --judge FILE");
    }
    answers.push_back({result.ok(), std::move(result.out), std::move(result.err)});
  }
  return answers;
}

std::string trouble_of(const KubectlResult& answer) {
  // What went wrong is its last line; before that its library may have logged each attempt.
  const auto last = last_lines(answer.err, 1);
  return last.empty() ? "" : one_line(last.front());
}

KubectlResult kubectl(const std::vector<std::string>& words) {
  return kubectl_each({words}).front();
}

std::string kubectl_out(const std::vector<std::string>& words, const std::string& what) {
  auto answer = kubectl(words);
  if (answer.ok) return std::move(answer.out);
  throw Error(fmt::format("{}: kubectl: {}", what, trouble_of(answer)),
              "try kubectl " + words.front() + " yourself: rv uses kubectl's own context and permissions");
}

std::vector<std::string> in_namespace(const std::string& space) {
  return space.empty() ? std::vector<std::string>{} : std::vector<std::string>{"-n", space};
}

}  // namespace rv::cli
