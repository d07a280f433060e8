#include "cli/kubernetes/kubectl.h"

#include <fmt/format.h>
#include <unistd.h>

#include "base/error.h"
#include "base/os/process.h"
#include "base/text.h"

namespace rv::cli {
namespace {

std::vector<std::string> own_environment() {
  std::vector<std::string> all;
  for (char** one = environ; *one != nullptr; ++one) all.emplace_back(*one);
  return all;
}

std::string first_line(const std::string& text) {
  return one_line(text.substr(0, text.find('\n')));
}

}  // namespace

KubectlAnswer kubectl(const std::vector<std::string>& words, const std::string& input) {
  os::Command command{.argv = {"kubectl"},
                      .input = input,
                      .deadline = std::chrono::minutes(2),
                      .environment = own_environment(),
                      .folder = {}};
  command.argv.insert(command.argv.end(), words.begin(), words.end());
  auto result = os::run(command);
  if (result.timed_out) {
    throw Error("kubectl did not answer within two minutes", "is the cluster there? try kubectl get nodes");
  }
  if (result.exit_code == 127) {
    throw Error("there is no kubectl here", "install it, or save what it says elsewhere and name the file: --from FILE, --judge FILE");
  }
  return {result.ok(), std::move(result.out), std::move(result.err)};
}

std::string kubectl_out(const std::vector<std::string>& words, const std::string& what) {
  auto answer = kubectl(words);
  if (answer.ok) return std::move(answer.out);
  throw Error(fmt::format("{}: kubectl says: {}", what, first_line(answer.err)),
              "try it alone: kubectl " + words.front() + " …; the context and its rights are kubectl's own");
}

std::vector<std::string> in_namespace(const std::string& space) {
  return space.empty() ? std::vector<std::string>{} : std::vector<std::string>{"-n", space};
}

}  // namespace rv::cli
