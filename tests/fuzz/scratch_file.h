// A file that is written again for each input, for readers that take paths.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>

namespace rv::fuzz {

/// A folder of this process in memory, removed with it.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string path = "/dev/shm/rv-fuzz-XXXXXX";
    if (::mkdtemp(path.data()) == nullptr) throw std::runtime_error("cannot make a folder in /dev/shm");
    path_ = path;
  }
  ~ScratchFolder() { std::filesystem::remove_all(path_); }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path write(const std::string& name, std::string_view bytes) const {
    std::ofstream(path_ / name, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return path_ / name;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace rv::fuzz
