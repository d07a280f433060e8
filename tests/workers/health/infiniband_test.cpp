#include "workers/health/infiniband.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <fstream>

using namespace rv;
using namespace rv::workers;

namespace {

namespace fs = std::filesystem;

/// A made /sys/class/infiniband. The texts of its files have the form that Linux documents in
/// Documentation/ABI/stable/sysfs-class-infiniband.
class Tree {
 public:
  Tree() {
    std::string path = (fs::temp_directory_path() / "rv-infiniband-XXXXXX").string();
    REQUIRE(mkdtemp(path.data()) != nullptr);
    root_ = path;
  }
  ~Tree() { fs::remove_all(root_); }
  Tree(const Tree&) = delete;
  Tree& operator=(const Tree&) = delete;

  void write(const std::string& path, const std::string& text) const {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text << '\n';
  }

  void add(const std::string& device, const std::string& state = "4: ACTIVE", const std::string& physical = "5: LinkUp",
           const std::string& rate = "400 Gb/sec (4X NDR)", const std::string& firmware = "28.43.2026") const {
    write(device + "/board_id", "MT_0000000838");
    write(device + "/fw_ver", firmware);
    const auto port = device + "/ports/1/";
    write(port + "state", state);
    write(port + "phys_state", physical);
    write(port + "rate", rate);
    write(port + "link_layer", "InfiniBand");
    for (const auto& counter : infiniband_counters()) write(port + "counters/" + counter, "0");
  }

  const fs::path& root() const { return root_; }
  std::vector<InfinibandPort> read() const { return read_infiniband(root_); }
  std::vector<Measurement> judge() const { return judge_infiniband(read(), {}); }

 private:
  fs::path root_;
};

}  // namespace

TEST_CASE("a port is read with its rate, lanes, firmware and counters") {
  const Tree tree;
  tree.add("mlx5_0");
  tree.write("mlx5_0/ports/1/counters/link_downed", "3");
  const auto ports = tree.read();
  REQUIRE(ports.size() == 1);
  CHECK(ports[0].name() == "mlx5_0/1");
  CHECK(ports[0].state == "ACTIVE");
  CHECK(ports[0].physical == "LinkUp");
  CHECK(ports[0].gbit_per_second == 400);
  CHECK(ports[0].lanes == 4);
  CHECK(ports[0].firmware == "28.43.2026");
  CHECK(ports[0].counters.at("link_downed") == 3);
  const auto back = infiniband_port_from_json(to_json(ports[0]));
  CHECK(back.name() == ports[0].name());
  CHECK(back.counters == ports[0].counters);
}

TEST_CASE("a node without adapters has no measurements, and an unreadable port is not available") {
  CHECK(read_infiniband("/nonexistent").empty());
  CHECK(judge_infiniband({}, {}).empty());
  const Tree tree;
  fs::create_directories(tree.root() / "mlx5_0/ports/1");
  const auto judged = tree.judge();
  REQUIRE(judged.size() == 1);
  CHECK(judged[0].verdict == Verdict::skip);
  CHECK(judged[0].reason == "not_available");
}

TEST_CASE("alike ports pass; the slower, the narrower and the one with other firmware are named") {
  const Tree tree;
  for (const auto* const device : {"mlx5_0", "mlx5_1", "mlx5_2"}) tree.add(device);
  for (const auto& m : tree.judge()) CHECK_MESSAGE(m.verdict == Verdict::pass, m.reason);
  tree.add("mlx5_1", "4: ACTIVE", "5: LinkUp", "100 Gb/sec (1X NDR)");
  tree.add("mlx5_2", "4: ACTIVE", "5: LinkUp", "400 Gb/sec (4X NDR)", "28.39.1002");
  tree.add("mlx5_3");
  const auto judged = tree.judge();
  CHECK(judged[0].verdict == Verdict::pass);
  CHECK(judged[1].reason ==
        "100 Gb/s, but 400 Gb/s on 3 of 4 ports of its kind; 1 lanes, but 4 lanes on other ports of its kind");
  CHECK(judged[2].reason == "firmware 28.39.1002, but 28.43.2026 on 3 of 4 ports of its kind");
}

TEST_CASE("a port that is down fails if the others of its kind are up, and else is not in use") {
  const Tree tree;
  tree.add("mlx5_0");
  tree.add("mlx5_1", "1: DOWN", "2: Polling");
  CHECK(tree.judge()[1].reason == "DOWN (Polling), but 1 of 1 other ports of its kind are up");
  tree.add("mlx5_2", "1: DOWN", "2: Polling");
  CHECK(tree.judge()[1].verdict == Verdict::pass);
  CHECK(tree.judge()[1].params["warning"] == "DOWN (Polling): the port is not in use");
  tree.add("mlx5_1", "1: DOWN", "3: Disabled");
  CHECK(tree.judge()[1].verdict == Verdict::pass);
  tree.add("mlx5_1", "2: INIT", "5: LinkUp");
  CHECK(tree.judge()[1].reason == "INIT (LinkUp): the link is up, but no subnet manager has set up the port");
  tree.add("mlx5_1", "1: DOWN", "6: LinkErrorRecovery");
  CHECK(tree.judge()[1].verdict == Verdict::fail);
}

TEST_CASE("error counters are judged by their increase, and a missing port is a finding") {
  const Tree tree;
  tree.add("mlx5_0");
  tree.write("mlx5_0/ports/1/counters/link_downed", "7");
  const auto before = tree.read();
  CHECK(judge_infiniband(tree.read(), before)[0].verdict == Verdict::pass);
  tree.write("mlx5_0/ports/1/counters/symbol_error", "5");
  CHECK(judge_infiniband(tree.read(), before)[0].verdict == Verdict::pass);
  CHECK(judge_infiniband(tree.read(), before)[0].params["warning"] == "5 symbol_error more than before");
  tree.write("mlx5_0/ports/1/counters/symbol_error", "5000");
  tree.write("mlx5_0/ports/1/counters/link_downed", "8");
  CHECK(judge_infiniband(tree.read(), before)[0].reason ==
        "1 link_downed more than before; 5000 symbol_error more than before");
  tree.write("mlx5_0/ports/1/counters/symbol_error", "0");
  tree.write("mlx5_0/ports/1/counters/link_downed", "0");
  CHECK(judge_infiniband(tree.read(), before)[0].verdict == Verdict::pass);
  const auto lost = judge_infiniband({}, before);
  REQUIRE(lost.size() == 1);
  CHECK(lost[0].reason == "this port is missing; the earlier report has it");
}
