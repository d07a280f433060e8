#include "cli/remote/hop/build_id.h"

#include <elf.h>
#include <fmt/format.h>
#include <link.h>

#include <cstring>
#include <fstream>
#include <iterator>

#include "base/error.h"
#include "base/version.h"

namespace rv::remote {

namespace {

/// The note's bytes, from the program's own image in memory: reading and hashing the file would take longer than the
/// rest of a command.
int find_build_id(dl_phdr_info* info, std::size_t /*size*/, void* found) {
  constexpr std::size_t alignment = 4;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = info->dlpi_phdr[i];
    if (segment.p_type != PT_NOTE) continue;
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the loader reports addresses as numbers
    const char* at = reinterpret_cast<const char*>(info->dlpi_addr + segment.p_vaddr);
    const char* end = at + segment.p_memsz;
    while (at + sizeof(ElfW(Nhdr)) <= end) {
      ElfW(Nhdr) note;
      std::memcpy(&note, at, sizeof note);
      const char* name = at + sizeof note;
      const char* bytes = name + (note.n_namesz + alignment - 1) / alignment * alignment;
      if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && std::memcmp(name, "GNU", 4) == 0) {
        static_cast<std::string*>(found)->assign(bytes, note.n_descsz);
        return 1;
      }
      at = bytes + (note.n_descsz + alignment - 1) / alignment * alignment;
    }
  }
  return 1;  // the first object is the program itself
}

}  // namespace

std::string binary_name() {
  std::string id;
  dl_iterate_phdr(find_build_id, &id);
  if (id.size() < 8) throw Error("this rv has no build ID", "build it with -Wl,--build-id=sha1, as rv's CMake does");
  std::string name = fmt::format("rv-{}-", version);
  for (const char c : id.substr(0, 8)) name += fmt::format("{:02x}", static_cast<unsigned char>(c));
  return name;
}

std::string own_binary() {
  std::ifstream file("/proc/self/exe", std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (bytes.empty() || file.bad()) throw Error("rv can't read its own binary", "check that /proc is mounted");
  return bytes;
}

}  // namespace rv::remote
