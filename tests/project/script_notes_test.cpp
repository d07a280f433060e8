#include "cli/project/script_notes.h"

#include <doctest/doctest.h>

namespace rv::project {
namespace {

std::size_t count(const std::string& text, int nodes, int cpus = 8,
                  std::vector<std::string> words = {"python3", "t.py"}) {
  return script_notes(
             text, {.script = "t.py", .words = std::move(words), .nodes = nodes, .processes_per_node = 1, .cpus = cpus})
      .size();
}

}  // namespace

TEST_CASE("a script without a process group is noted on several nodes, and on one never") {
  CHECK(script_notes("import torch\n",
                     {.script = "t.py", .words = {"t.py"}, .nodes = 2, .processes_per_node = 1, .cpus = 0}) ==
        std::vector<std::string>{
            "t.py makes no process group: on 2 nodes each would do the same work; --single-node keeps it on one"});
  CHECK(count("import torch\n", 1) == 0);
  CHECK(count("torch.distributed.init_process_group('nccl')\n", 2) == 0);
  CHECK(count("x = int(os.environ['RANK'])\n", 2) == 0);
  CHECK(count("# init_process_group() is for later\n", 2) == 1);
  CHECK(count("import torch\n", 2, 8, {"/env/bin/torchrun", "--nnodes=2", "t.py"}) == 0);
}

TEST_CASE("a model that is spread over one node's GPUs is noted on several nodes") {
  const std::string text = "m = AutoModel.from_pretrained(x, device_map=\"auto\")\n";
  CHECK(script_notes(text, {.script = "t.py", .words = {}, .nodes = 2, .processes_per_node = 1, .cpus = 0})
            .at(0)
            .find("over the GPUs of one node") != std::string::npos);
  CHECK(count(text, 2) == 1);
  CHECK(count(text, 1) == 0);
}

TEST_CASE("more workers of a data loader than CPUs are noted") {
  CHECK(script_notes("DataLoader(d, num_workers = 8)\nDataLoader(d, num_workers=2)\n",
                     {.script = "t.py", .words = {}, .nodes = 1, .processes_per_node = 1, .cpus = 4}) ==
        std::vector<std::string>{"t.py starts 8 data-loader workers, and a process has 4 CPUs: --cpus asks for more"});
  CHECK(count("DataLoader(d, num_workers=8)\n", 1, 8) == 0);
  CHECK(count("DataLoader(d, num_workers=args.workers)\n", 1, 1) == 0);
  CHECK(count("DataLoader(d, num_workers=8)\n", 1, 0) == 0);
}

}  // namespace rv::project
