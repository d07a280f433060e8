// A /proc of a test's own making: processes, and the kernel's tables of sockets.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "cli/remote/forward/listening_ports.h"

namespace rv::forward {

struct FakeProcess {
  int id = 0;
  int parent = 1;
  unsigned user = 1000;
  std::string name = "python3";
  std::string command_line = "python3";
  std::string environment = {};  // entries end with \n here
  std::string cgroup = "0::/\n";
  std::vector<std::uint64_t> sockets = {};
};

class FakeProc {
 public:
  FakeProc() {
    char path[] = "/tmp/rv-proc-XXXXXX";
    path_ = ::mkdtemp(path);
    std::filesystem::create_directories(path_ + "/net");
    std::filesystem::create_directories(path_ + "/self");
    for (const char* table : {"tcp", "tcp6"})
      write("net/" + std::string(table), "  sl  local_address rem_address   st\n");
    own_cgroup("0::/\n");
  }
  ~FakeProc() { std::filesystem::remove_all(path_); }
  FakeProc(const FakeProc&) = delete;
  FakeProc& operator=(const FakeProc&) = delete;

  const std::string& path() const { return path_; }

  void own_cgroup(const std::string& text) const { write("self/cgroup", text); }

  void has(const FakeProcess& process) const {
    const std::string folder = std::to_string(process.id);
    std::filesystem::create_directories(path_ + "/" + folder + "/fd");
    write(folder + "/comm", process.name + "\n");
    write(folder + "/cmdline", process.command_line + '\0');
    write(folder + "/cgroup", process.cgroup);
    write(folder + "/status", fmt::format("Name:\t{0}\nPPid:\t{1}\nTracerPid:\t0\nUid:\t{2}\t{2}\t{2}\t{2}\n",
                                          process.name, process.parent, process.user));
    std::string environment = process.environment;
    for (char& c : environment) c = c == '\n' ? '\0' : c;
    write(folder + "/environ", environment);
    int fd = 3;
    for (const auto inode : process.sockets) {
      std::filesystem::create_symlink(fmt::format("socket:[{}]", inode),
                                      fmt::format("{}/{}/fd/{}", path_, folder, fd++));
    }
  }
  void ends(int process) const { std::filesystem::remove_all(path_ + "/" + std::to_string(process)); }

  void listens(const std::string& address, int port, unsigned user, std::uint64_t inode) const {
    const std::string bytes = forward::address_bytes(address);
    std::string digits;
    for (std::size_t at = 0; at < bytes.size(); at += 4) {
      std::uint32_t word = 0;
      std::memcpy(&word, bytes.data() + at, sizeof word);
      digits += fmt::format("{:08X}", word);
    }
    std::ofstream(path_ + (bytes.size() == 4 ? "/net/tcp" : "/net/tcp6"), std::ios::app) << fmt::format(
        "   0: {}:{:04X} {}:0000 0A 00000000:00000000 00:00000000 00000000 {:5}        0 {} 1 0 100 0 0\n", digits,
        port, std::string(digits.size(), '0'), user, inode);
  }
  void nobody_listens() const {
    for (const char* table : {"tcp", "tcp6"})
      write("net/" + std::string(table), "  sl  local_address rem_address   st\n");
  }

 private:
  void write(const std::string& name, const std::string& text) const { std::ofstream(path_ + "/" + name) << text; }

  std::string path_;
};

}  // namespace rv::forward
