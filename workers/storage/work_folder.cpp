#include "workers/storage/work_folder.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <stdexcept>

#include "workers/devices/node_name.h"
#include "workers/ranks/token.h"

namespace rv::workers {
namespace {

constexpr std::array ends{SIGTERM, SIGINT, SIGHUP};

// Global, for the signal handler.
volatile std::sig_atomic_t came = 0;
pid_t cleaner = 0;

void note(int signal) {
  if (getpid() != cleaner) {
    // In a rank, the signal ends it; the process that started it cleans up.
    std::signal(signal, SIG_DFL);
    std::raise(signal);
    return;
  }
  came = signal;
  // Only TERM and INT are forwarded to the ranks (children.h).
  if (signal == SIGHUP) kill(cleaner, SIGTERM);
}

}  // namespace

WorkFolders::WorkFolders(const std::vector<MeasuredFolder>& folders, int first_rank, int ranks)
    : folders_(folders), first_rank_(first_rank), ranks_(ranks) {
  stem_ = fmt::format("rv-io-{}-{}", node_name(), random_token().substr(0, 8));
  cleaner = getpid();
  came = 0;
  struct sigaction action {};
  action.sa_handler = note;
  action.sa_flags = SA_RESTART;
  for (const int signal : ends) sigaction(signal, &action, nullptr);
}

WorkFolders::~WorkFolders() {
  for (const auto& folder : folders_) {
    for (int rank = first_rank_; rank < first_rank_ + ranks_; ++rank) {
      std::error_code fault;
      std::filesystem::remove_all(path(folder, rank), fault);
      if (fault) fmt::print(stderr, "rv-io: can't remove {}: {}\n", path(folder, rank), fault.message());
    }
  }
}

std::string WorkFolders::path(const MeasuredFolder& folder, int rank) const {
  return fmt::format("{}/{}-{}", folder.path, stem_, rank);
}

void WorkFolders::end_by_signal() {
  if (came == 0) return;
  std::signal(came, SIG_DFL);
  std::raise(came);
}

OwnFolder::OwnFolder(std::string path) : path_(std::move(path)) {
  if (mkdir(path_.c_str(), 0700) != 0) {
    throw std::runtime_error(fmt::format("can't create the folder {}: {}", path_, strerror(errno)));
  }
}

OwnFolder::~OwnFolder() {
  std::error_code fault;
  std::filesystem::remove_all(path_, fault);
}

}  // namespace rv::workers
