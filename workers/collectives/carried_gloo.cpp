// gloo for ranks on the host, inside the worker. A node has neither gloo nor a libstdc++ of the same version, and a
// worker is often a single copied file. So the program contains the library built from communicator_gloo.cpp, gloo, and
// the two libraries that they need, and loads them when ranks on the host are requested.
#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "shared/system/descriptor.h"
#include "workers/collectives/communicator.h"
#include "workers/older_glibc/unwinder.h"

#define RV_CARRY(symbol, file)                                         \
  asm(".pushsection .rodata\n.balign 16\n"                             \
      ".globl " symbol "\n" symbol ":\n.incbin \"" RV_CARRIED "/" file \
      "\"\n"                                                           \
      ".globl " symbol "_end\n" symbol "_end:\n.popsection")

RV_CARRY("rv_carried_libgcc", "libgcc_s.so.1");
RV_CARRY("rv_carried_libstdcxx", "libstdc++.so.6");
RV_CARRY("rv_carried_gloo", "libgloo.so.0");
RV_CARRY("rv_carried_on_gloo", "rv_on_gloo");

extern "C" {
extern const char rv_carried_libgcc[], rv_carried_libgcc_end[];
extern const char rv_carried_libstdcxx[], rv_carried_libstdcxx_end[];
extern const char rv_carried_gloo[], rv_carried_gloo_end[];
extern const char rv_carried_on_gloo[], rv_carried_on_gloo_end[];
}

namespace rv::workers {
namespace {

struct Carried {
  const char *name, *begin, *end;
};

/// In the order of their dependencies; the loader then finds each by its name.
const Carried all_carried[] = {{"libgcc_s.so.1", rv_carried_libgcc, rv_carried_libgcc_end},
                               {"libstdc++.so.6", rv_carried_libstdcxx, rv_carried_libstdcxx_end},
                               {"libgloo.so.0", rv_carried_gloo, rv_carried_gloo_end},
                               {"rv_on_gloo", rv_carried_on_gloo, rv_carried_on_gloo_end}};

[[noreturn]] void refuse(const Carried& library, const std::string& why) {
  throw std::runtime_error(
      fmt::format("cannot load {}, which this worker carries for ranks on the host: {}", library.name, why));
}

/// A file that exists only in memory (memfd_create).
class MemoryFile {
 public:
  explicit MemoryFile(const Carried& library) : file_(memfd_create(library.name, MFD_CLOEXEC)) {
    if (file_.number() < 0) refuse(library, strerror(errno));
    for (const auto* at = library.begin; at != library.end;) {
      const auto written = write(file_.number(), at, static_cast<std::size_t>(library.end - at));
      if (written <= 0) refuse(library, strerror(errno));
      at += written;
    }
  }

  std::string path() const { return fmt::format("/proc/self/fd/{}", file_.number()); }

 private:
  os::Descriptor file_;
};

/// Loads all, and returns the handle of the last one.
void* load_all() {
  std::vector<MemoryFile> files;  // open until all are loaded: the loader identifies a library by its path
  void* last = nullptr;
  for (const auto& library : all_carried) {
    files.emplace_back(library);
    last = dlopen(files.back().path().c_str(), RTLD_NOW | RTLD_LOCAL);
    if (last == nullptr) refuse(library, dlerror());
  }
  return last;
}

}  // namespace

std::unique_ptr<Communicator> gloo_communicator(Peer& peer) {
  using Make = std::unique_ptr<Communicator> (*)(Peer&);
  // The mangled name of gloo_communicator in that library.
  static const auto make = reinterpret_cast<Make>(dlsym(load_all(), "_ZN2rv7workers17gloo_communicatorERNS0_4PeerE"));
  if (make == nullptr) refuse(all_carried[3], dlerror());
  ready_unwinder();
  return make(peer);
}

}  // namespace rv::workers
