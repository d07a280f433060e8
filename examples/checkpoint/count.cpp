// An application that checkpoints properly: it counts to a number, a step a second, and can be ended at any moment.
//
//   g++ -O2 -o count count.cpp
//   rv run --checkpoint --time 12h -g 1 ./count 40000
//
// What it shows: state is read at the start and written whole or not at all; the handler only sets a flag, because
// hardly anything else is allowed in one; after a warning the state is saved and the program ends; between warnings it
// saves now and then, so that a crash or a lost node costs minutes.
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

volatile std::sig_atomic_t warned = 0;

extern "C" void on_warning(int) {
  warned = 1;
}

// To a new file first: the old state stays whole until the new one is, and rename() swaps them at once.
bool save(const std::string& path, long step) {
  const std::string fresh = path + ".new";
  std::FILE* file = std::fopen(fresh.c_str(), "w");
  if (file == nullptr) return false;
  bool written = std::fprintf(file, "%ld\n", step) > 0 && std::fflush(file) == 0 && ::fsync(::fileno(file)) == 0;
  written = std::fclose(file) == 0 && written;
  return written && std::rename(fresh.c_str(), path.c_str()) == 0;
}

long load(const std::string& path) {
  long step = 0;
  if (std::FILE* file = std::fopen(path.c_str(), "r")) {
    if (std::fscanf(file, "%ld", &step) != 1) step = 0;
    std::fclose(file);
  }
  return step;
}

}  // namespace

int main(int argc, char** argv) {
  const long last = argc > 1 ? std::strtol(argv[1], nullptr, 10) : 60;
  const char* folder = std::getenv("RV_CHECKPOINT_DIR");
  const std::string path = std::string(folder != nullptr ? folder : ".") + "/count";
  std::signal(SIGUSR1, on_warning);

  long step = load(path);
  std::printf("from step %ld\n", step);
  std::fflush(stdout);
  while (step < last) {
    ::sleep(1);  // the work; a signal ends it early, which costs this example nothing
    ++step;
    if (step % 300 == 0 || step == last || warned != 0) {
      if (!save(path, step)) {
        std::perror(path.c_str());
        return 1;
      }
    }
    if (warned != 0) {
      std::printf("saved at step %ld\n", step);
      return 75;  // to be continued, so that `count && evaluate` does not evaluate yet
    }
  }
  std::printf("all %ld steps are done\n", last);
  return 0;
}
