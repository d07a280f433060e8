#include "cli/batch/batch_options.h"

#include <doctest/doctest.h>

#include "base/error.h"

namespace rv::cli {
namespace {

using Words = std::vector<std::string>;

BatchOptions read(const std::string& lines, const GivenShape& given = {}) {
  return batch_options(parse_directives(lines, "dir/job.sh"), "dir/job.sh", given, [](const std::string&) {});
}

TEST_CASE("numbers per task and per node become those of the run and of a node") {
  CHECK(read("#SBATCH -N 2 -n 4 -c 3 --gpus-per-task=a40:1 --mem-per-cpu=1G\n").options ==
        Words{"--nodes=2", "--procs-per-node=2", "--gpu=4", "--type=a40", "--cpus=6", "--mem=6G"});
  CHECK(read("#SBATCH --gres=gpu:1\n").options == Words{"--single-node", "--gpu=1"});
}

TEST_CASE("numbers on the command line take the place of the script's, and those per node follow them") {
  CHECK(read("#SBATCH -N 2 --gpus-per-node=4\n", {.nodes = 3, .placed = true}).options ==
        Words{"--nodes=3", "--gpu=12"});
  CHECK(read("#SBATCH -n 2\n", {.gpus = true}).options == Words{"--single-node", "--procs-per-node=2", "--cpus=2"});
  CHECK(read("#SBATCH -G 2\n", {.placed = true}).options == Words{"--gpu=2"});
}

TEST_CASE("the script keeps its name, its files and the variables that sbatch would set") {
  const auto batch = read("#SBATCH -G 1 -c 2 -o %j.out --signal=B:SIGUSR2@60 -D /data\n").batch;
  CHECK(batch.name == "job.sh");
  CHECK(batch.output == "%j.out");
  CHECK(batch.folder == "/data");
  CHECK(batch.signal == "USR2");
  CHECK(batch.variables == Words{"SLURM_NTASKS", "SLURM_NPROCS", "SLURM_NTASKS_PER_NODE", "SLURM_GPUS=1"});
  CHECK(read("#SBATCH -G 1 --signal=USR1@60\n").batch.signal.empty());
  CHECK(read("#SBATCH -G 1 --signal=USR1@60\n").sbatch == Words{"signal=USR1@60"});
  CHECK(read("#SBATCH -G 1 --signal=USR1@60\n", {.checkpoint = true}).sbatch.empty());
  CHECK_THROWS_AS(read("#SBATCH -G 1 --signal=B:\n"), Error);
}

}  // namespace
}  // namespace rv::cli
