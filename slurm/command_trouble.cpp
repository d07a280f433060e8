#include "slurm/command_trouble.h"

#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "slurm/configuration.h"
#include "slurm/parse/parse_jobs.h"

namespace rv::slurm {
namespace {

constexpr std::string_view set_configuration =
    "set SLURM_CONF to the cluster's slurm.conf, or run rv on a login node (rv -H NAME)";
constexpr std::string_view use_login_node = "run rv on a login node of the cluster, or set PATH";
constexpr std::string_view try_again = "try again in a moment; scontrol ping shows whether the controller is up";

}  // namespace

std::string trouble_of(const os::Result& result) {
  if (result.timed_out) return "no answer in time";
  if (result.exit_code == 127) return result.err;
  if (says_no_configuration(result.err)) return "no slurm.conf was found, and SLURM_CONF is not set";
  return first_complaint(result.err.empty() ? result.out : result.err);
}

std::string advice_for(std::string_view trouble) {
  if (trouble.find("SLURM_CONF") != std::string_view::npos) return std::string(set_configuration);
  // os::run() reports a program that does not exist as "squeue: No such file or directory".
  if (const auto colon = trouble.find(": "); colon != std::string_view::npos) {
    if (trouble.substr(colon + 2) == std::strerror(ENOENT)) return std::string(use_login_node);
  }
  return std::string(try_again);
}

os::Command question(std::vector<std::string> argv, std::chrono::milliseconds deadline,
                     std::vector<std::string> environment, std::string input) {
  return {.argv = std::move(argv),
          .input = std::move(input),
          .deadline = deadline,
          .environment = std::move(environment),
          .folder = "",
          .ignores_broken_pipes = true};
}

void no_configuration(const std::string& fault) {
  throw Error("Slurm has no configuration file: " + fault, std::string(set_configuration), ExitCode::slurm);
}

void no_cluster(const std::string& asked, const os::Result& result) {
  if (result.exit_code == 127) {
    throw Error("Slurm's commands were not found: " + result.err, std::string(use_login_node), ExitCode::slurm);
  }
  if (says_no_configuration(result.err)) {
    no_configuration("this machine has none in Slurm's default place, and SLURM_CONF is not set");
  }
  if (result.err.find("Access/permission denied") != std::string::npos) {
    throw Error("this site allows only operators to run " + asked + ": " + trouble_of(result),
                "rv can't plan without it: ask the administrators to take nodes and partitions out of PrivateData",
                ExitCode::slurm);
  }
  throw Error("Slurm did not answer " + asked + ": " + trouble_of(result), std::string(try_again), ExitCode::slurm);
}

}  // namespace rv::slurm
