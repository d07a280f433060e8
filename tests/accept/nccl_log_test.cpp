#include "reports/accept/nccl_log.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "evidence_builder.h"
#include "reports/accept/judgement.h"
#include "tests/source_tree.h"

namespace rv::accept {
namespace {

// Lines as NCCL 2.8 to 2.30 writes them (src/transport/{p2p,shm,net}.cc, src/misc/param.cc); names and numbers are made
// up.
constexpr auto nvlink =
    "n1:811:845 [0] NCCL INFO NCCL_P2P_LEVEL set by environment to NVL\n"
    "n1:811:845 [0] NCCL INFO Channel 00/24 :    0   1   2   3\n"
    "n1:811:845 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[1] via P2P/CUMEM\n"
    "n1:811:845 [0] NCCL INFO Channel 01/0 : 0[0] -> 1[1] via P2P/CUMEM/read\n"
    "n1:811:845 [0] NCCL INFO Connected all rings, use ring PXN 0 GDR 1\n";
constexpr auto shm =
    "n1:811:845 [0] NCCL INFO NCCL_P2P_LEVEL set by environment to LOC\n"
    "n1:811:845 [0] NCCL INFO Channel 00 : 0[0] -> 1[1] via SHM/direct/direct\n"
    "n1:811:845 [1] NCCL INFO Channel 01 : 1[c3000] -> 0[3000] via SHM/direct/direct comm 0x557519a97630 nRanks 02\n";
constexpr auto old_shm = "n1:1477:2150 [1] NCCL INFO Channel 00 : 1[1a000] -> 2[af000] via direct shared memory\n";
constexpr auto ib =
    "n1:811:811 [0] NCCL INFO NET/IB : Using [0]mlx5_0:1/IB [1]mlx5_1:1/IB [RO]; OOB eth0:10.0.0.1<0>\n"
    "n1:811:845 [0] NCCL INFO Channel 00/0 : 0[0] -> 8[0] [send] via NET/IB/0/GDRDMA\n"
    "n1:811:845 [0] NCCL INFO Channel 00/0 : 8[0] -> 0[0] [receive] via NET/IBext_v8/1\n";
constexpr auto roce =
    "n1:811:811 [0] NCCL INFO NET/IB : Using [0]={[0] rocep130s0:1/RoCE, [1] rocep130s0:2/RoCE}; OOB eth0:10.0.0.1<0>\n"
    "n1:811:845 [0] NCCL INFO Channel 02/0 : 1[1] -> 2[0] [send] via NET/IB/0(1)/GDRDMA/Shared\n";
constexpr auto ethernet =
    "n1:811:811 [0] NCCL INFO NET/Socket : Using [0]eth0:10.0.0.1<0>\n"
    "n1:811:845 [0] NCCL INFO Channel 00/0 : 1[0] -> 0[0] [receive] via NET/Socket/0 comm 0x2083dd50 nRanks 02\n"
    "n1:811:845 [0] NCCL INFO Channel 01/1 : 0[0] -> 1[1] [send] via NET/Socket/0/Shared\n";

Used used(Fabric fabric, const std::string& log) {
  return accept::used(fabric, read_nccl_log(log));
}

/// Both ranks of a run that was recorded on two GPUs.
NcclChannels recorded(const std::string& name) {
  NcclChannels both;
  for (const auto* const rank : {".0.log", ".1.log"}) {
    std::ifstream file(in_tree("tests/data/nccl/" + name + rank));
    REQUIRE(file);
    std::ostringstream text;
    text << file.rdbuf();
    add(both, read_nccl_log(text.str()));
  }
  return both;
}

}  // namespace

TEST_CASE("each fabric is recognised by the channels in NCCL's log") {
  const std::map<Fabric, std::vector<std::string>> logs = {{Fabric::nvlink, {nvlink}},
                                                           {Fabric::shm, {shm, old_shm}},
                                                           {Fabric::ib, {ib, roce}},
                                                           {Fabric::ethernet, {ethernet}}};
  for (const auto& [fabric, texts] : logs) {
    for (const auto& text : texts) {
      for (const auto asked : all_fabrics()) {
        CAPTURE(text);
        CHECK(used(asked, text) == (asked == fabric ? Used::yes : Used::no));
      }
    }
  }
  CHECK(ways_text(read_nccl_log(nvlink)) == "2 channels over P2P (only NVLink)");
  CHECK(ways_text(read_nccl_log(roce)) == "1 channel over NET/IB (RoCE)");
  CHECK(ways_text(read_nccl_log(ib)) == "2 channels over NET/IB");
}

TEST_CASE("RoCE is a property of the device that a channel uses") {
  const std::string both =
      "n1:8:8 [0] NCCL INFO NET/IB : Using [0]mlx5_0:1/IB [1]mlx5_1:1/IB [2]mlx5_bond_0:1/RoCE [RO]; OOB "
      "eth0:10.0.0.1<0>\n";
  const std::string over = "n1:8:9 [0] NCCL INFO Channel 00/0 : 0[0] -> 8[0] [send] via NET/IB/";
  CHECK(ways_text(read_nccl_log(both + over + "0/GDRDMA\n" + over + "1\n")) == "2 channels over NET/IB");
  CHECK(ways_text(read_nccl_log(both + over + "2/GDRDMA\n")) == "1 channel over NET/IB (RoCE)");
  CHECK(ways_text(read_nccl_log(both + over + "0/GDRDMA\n" + over + "2(1)/GDRDMA/Shared\n")) ==
        "2 channels over NET/IB (1 of them RoCE)");
  // Devices of several cards: the inner numbers are not those of channels.
  const std::string merged =
      "n1:8:8 [0] NCCL INFO NET/IB : Using [0]={[0] mlx5_0:1/IB, [1] mlx5_1:1/IB} [1]={[0] r0:1/RoCE, [1] r1:1/RoCE}; "
      "OOB "
      "eth0:10.0.0.1<0>\n";
  CHECK(ways_text(read_nccl_log(merged + over + "0\n")) == "1 channel over NET/IB");
  CHECK(ways_text(read_nccl_log(merged + over + "1\n")) == "1 channel over NET/IB (RoCE)");
}

TEST_CASE("each fabric is recognised in NCCL's logs of a host with two GPUs") {
  struct Run {
    std::string name, ways;
    std::map<Fabric, Used> others;  // than no
  };
  const std::vector<Run> runs = {
      {"nvlink", "112 channels over P2P (only NVLink)", {{Fabric::nvlink, Used::yes}}},
      {"shm", "12 channels over SHM", {{Fabric::shm, Used::yes}}},
      {"ethernet", "16 channels over NET/Socket", {{Fabric::ethernet, Used::yes}}},
      // P2P, here over NVLink, which NCCL does not log.
      {"own-choice", "112 channels over P2P", {{Fabric::nvlink, Used::unknown}}},
      {"no-cumem", "112 channels over P2P", {{Fabric::nvlink, Used::unknown}}},
      {"two-hosts", "16 channels over NET/Socket", {{Fabric::ethernet, Used::yes}}},
      // Between hosts NVLink and shared memory do not reach: NCCL takes the network, whatever was forced.
      {"two-hosts-nvlink", "16 channels over NET/Socket", {{Fabric::ethernet, Used::yes}}},
      {"two-hosts-shm", "16 channels over NET/Socket", {{Fabric::ethernet, Used::yes}}},
  };
  for (const auto& run : runs) {
    CAPTURE(run.name);
    const auto channels = recorded(run.name);
    CHECK(ways_text(channels) == run.ways);
    for (const auto asked : all_fabrics()) {
      const auto other = run.others.find(asked);
      CHECK(accept::used(asked, channels) == (other == run.others.end() ? Used::no : other->second));
    }
  }
  // No card: NCCL ends before it has a channel.
  for (const auto asked : all_fabrics()) CHECK(accept::used(asked, recorded("ib")) == Used::unknown);
}

TEST_CASE("a value that the log lacks is unknown") {
  CHECK(used(Fabric::ib, "") == Used::unknown);
  CHECK(used(Fabric::shm, "n1:811:845 [0] NCCL INFO Channel 00/02 :    0   1\n") == Used::unknown);
  // P2P goes over PCIe as well, unless NCCL was configured not to.
  const std::string p2p = "n1:811:845 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[1] via P2P/IPC\n";
  CHECK(used(Fabric::nvlink, p2p) == Used::unknown);
  CHECK(used(Fabric::nvlink, "n1:8:8 [0] NCCL INFO NCCL_P2P_LEVEL set by environment to PXB\n" + p2p) == Used::unknown);
  // A line that is cut off is not proof.
  CHECK(used(Fabric::ib, "n1:811:845 [0] NCCL INFO Channel 00/0 : 0[0] -> 8[0] [send] via NET/IB") == Used::unknown);
  // The output of another program is not a log either.
  CHECK(used(Fabric::shm, "Channel 00 : 0[0] -> 1[1] via SHM/direct/direct\n") == Used::unknown);
}

TEST_CASE("one channel elsewhere, of any process, is a no") {
  auto channels = read_nccl_log(nvlink);
  add(channels, read_nccl_log(shm));
  CHECK(accept::used(Fabric::nvlink, channels) == Used::no);
  CHECK(ways_text(channels) == "2 channels over P2P (only NVLink), 2 channels over SHM");
  // A process whose P2P may have been PCIe spoils what another is sure of, whichever is read first.
  const auto sure = read_nccl_log(nvlink);
  const auto unsure = read_nccl_log("n1:1:1 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[1] via P2P/IPC\n");
  for (const bool sure_first : {true, false}) {
    NcclChannels sum;
    add(sum, sure_first ? sure : unsure);
    add(sum, sure_first ? unsure : sure);
    CHECK(accept::used(Fabric::nvlink, sum) == Used::unknown);
  }
}

TEST_CASE("a forced fabric is proven, or its figures are not believed; its baselines are its own") {
  Order order{.nodes = 1, .gpus_per_node = 2, .full = false, .device = "auto", .suites = {Suite::collective}};
  order.fabric = Fabric::ib;
  auto figure = gpu_figure(0, "all_reduce fp32 128 MiB", 21, "GB/s");
  figure.suite = "collective";
  figure.all_ranks = true;
  figure.gpu_index.reset();
  figure.params = {{"collective", "all_reduce"}, {"type", "fp32"}, {"bytes", 134217728}};
  NodeEvidence node{.node = "n1", .steps = {step_done("collective", {figure}, gpus_environment(2))}};
  auto& step = node.steps[0];

  step.channels = read_nccl_log(ib);
  auto judged = judge(order, {node}, {}, false);
  CHECK(judged.verdict == Verdict::pass);
  REQUIRE(judged.fabric.size() == 1);
  CHECK(judged.fabric[0].used == Used::yes);
  REQUIRE(judged.figures.size() == 1);
  CHECK(judged.figures[0].key.fabric == "ib");

  step.channels = read_nccl_log(shm);
  judged = judge(order, {node}, {}, false);
  CHECK(judged.verdict == Verdict::error);
  REQUIRE(judged.findings.size() == 1);
  CHECK(judged.findings[0].what == "collective: NCCL did not use only ib: 2 channels over SHM");

  step.channels = {};
  judged = judge(order, {node}, {}, false);
  CHECK(judged.verdict == Verdict::skip);
  REQUIRE(judged.findings.size() == 1);
  CHECK(judged.findings[0].what == "collective: it is not known whether NCCL used ib: NCCL's log shows no channel");

  order.fabric.reset();
  CHECK(judge(order, {node}, {}, false).fabric.empty());
}

TEST_CASE("a fabric that ends at a node's edge leaves out what goes over all nodes") {
  Order order{.nodes = 2, .gpus_per_node = 2, .full = false, .device = "auto", .suites = {Suite::collective}};
  const auto together = [&] {
    const auto steps = steps_of(order);
    return std::count_if(steps.begin(), steps.end(), [](const auto& step) { return step.together; });
  };
  CHECK(together() == 1);
  for (const auto fabric : all_fabrics()) {
    order.fabric = fabric;
    CHECK(together() == (crosses_nodes(fabric) ? 1 : 0));
    CHECK(order_from_json(to_json(order)).fabric == fabric);
  }
}

}  // namespace rv::accept
