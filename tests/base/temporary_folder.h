// A folder of one test's own, gone afterwards.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

class TemporaryFolder {
 public:
  TemporaryFolder() {
    char path[] = "/tmp/rv-test-XXXXXX";
    path_ = ::mkdtemp(path);
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::string& path() const { return path_; }
  /// What lies there by this name, which may be in folders of its own.
  std::filesystem::path operator/(const std::string& name) const { return std::filesystem::path(path_) / name; }
  void write(const std::string& name, const std::string& bytes) const {
    std::filesystem::create_directories((*this / name).parent_path());
    std::ofstream(*this / name, std::ios::binary) << bytes;
  }

 private:
  std::string path_;
};
