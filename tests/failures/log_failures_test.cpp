#include "base/failures/log_failures.h"

#include <doctest/doctest.h>

namespace rv::failures {
namespace {

using Lines = std::vector<std::string>;

Lines progress(int lines) {
  Lines out;
  for (int i = 1; i <= lines; ++i) out.push_back("epoch " + std::to_string(i) + ": loss 0.5");
  return out;
}

Lines together(std::initializer_list<Lines> parts) {
  Lines out;
  for (const auto& part : parts) out.insert(out.end(), part.begin(), part.end());
  return out;
}

Lines raised(const std::string& exception) {
  return {"Traceback (most recent call last):", "  File \"t.py\", line 5, in step", "    f()", exception};
}

/// The names of the causes that count, in the log's order.
std::vector<std::string> causes(const Lines& lines, int exit_code = 1) {
  std::vector<std::string> out;
  for (const auto& failure : failures_in(lines, exit_code)) {
    if (failure.counts) out.emplace_back(text_of(failure.match.cause).name);
  }
  return out;
}

using Names = std::vector<std::string>;
const std::string out_of_memory = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB";

}  // namespace

TEST_CASE("a message that the program survived is not a cause") {
  CHECK(causes(together({{"skipped: " + out_of_memory}, progress(40)})).empty());
  CHECK(causes(together({{out_of_memory}, progress(40), raised("FloatingPointError: loss is nan")})) ==
        Names{"python_exception"});
  CHECK(causes({"NVRM: Xid (PCI:0000:3b:00): 79, x", "step 1", "step 2", "step 3", "step 4", "step 5"}).empty());
  CHECK(causes({out_of_memory, "other rank: step 7"}) == Names{"cuda_out_of_memory"});
  // A progress bar counts each of its states.
  CHECK(causes({out_of_memory, "10%|#| 1/10\r20%|##| 2/10\r30%|###| 3/10\r40%|####| 4/10\r50%|#####| 5/10"}).empty());
}

TEST_CASE("reports after a failure are no progress") {
  CHECK(causes(together(
            {{out_of_memory},
             {"|  Allocated memory | 1234 MiB |", "frame #0: c10::Error + 0x42", "[n1:7] /lib64/libc.so.6(+0x3)",
              "srun: error: n1: task 0: Exited with exit code 1", "slurmstepd: x 5", "rank 3 terminated",
              "W0101 Sending process 17 closing signal SIGTERM"}})) == Names{"cuda_out_of_memory"});
}

TEST_CASE("the last exception overrules what stands before it") {
  CHECK(causes(together({{out_of_memory}, raised("ValueError: x")})) == Names{"python_exception"});
  CHECK(causes(together({raised("KeyError: 'a'"), raised("ModuleNotFoundError: No module named 'x'")})) ==
        Names{"python_import"});
  // but not where it follows from it
  CHECK(causes(together({{"NVRM: Xid (PCI:0000:3b:00): 79, x"}, raised("RuntimeError: CUDA error: unknown error")})) ==
        Names{"gpu_hardware", "cuda_error"});
  CHECK(causes(together({raised(out_of_memory), raised("torch.distributed.DistBackendError: NCCL error in: x")})) ==
        Names{"cuda_out_of_memory", "nccl"});
  CHECK(causes(together({raised("ValueError: x"),
                         raised("torch.distributed.elastic.multiprocessing.errors.ChildFailedError: ")})) ==
        Names{"python_exception"});
}

TEST_CASE("of exceptions while another is handled the known one is the cause") {
  const Lines between = {"", "During handling of the above exception, another exception occurred:", ""};
  CHECK(causes(together({raised(out_of_memory), between, raised("RuntimeError: could not recover")})) ==
        Names{"cuda_out_of_memory"});
  CHECK(causes(together({raised("KeyError: 'a'"), between, raised("ValueError: no 'a'")})) ==
        Names{"python_exception"});
}

TEST_CASE("the exit code decides about a shell's messages") {
  const Lines rc = {"/home/u/.bashrc: line 12: x: command not found"};
  CHECK(causes(together({rc, progress(11), raised("ValueError: x")})) == Names{"python_exception"});
  const auto failures = failures_in(rc, 127);
  REQUIRE(failures.size() == 1);
  CHECK(failures[0].match.certainty == Certainty::certain);
  CHECK(failures_in(rc, 1).at(0).match.certainty == Certainty::warning);
}

TEST_CASE("memory of the host that Python could not get is not a plain exception") {
  CHECK(causes(raised("MemoryError")) == Names{"out_of_memory"});
  CHECK(causes(raised("numpy._core._exceptions._ArrayMemoryError: Unable to allocate 1 TiB for an array")) ==
        Names{"out_of_memory"});
}

TEST_CASE("source lines in a traceback are not read as messages") {
  Lines lines = raised("ValueError: x");
  lines[2] = "    raise OSError('No space left on device')";
  CHECK(causes(lines) == Names{"python_exception"});
}

}  // namespace rv::failures
