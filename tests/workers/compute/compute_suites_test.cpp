#include "workers/compute/compute_suites.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <stdexcept>

#include "tests/workers/corrupted.h"
#include "workers/devices/out_of_memory.h"

using namespace rv;
using namespace rv::workers;

namespace {

/// The host, except that its products are bad as asked.
class BadBackend : public Backend {
 public:
  BadBackend(double error, int from) : error_(error), from_(from) {}
  const Device& device() const override { return good_->device(); }
  std::string lacks(NumberType type) const override { return good_->lacks(type); }
  std::unique_ptr<Product> product(NumberType type, std::size_t n) override {
    return std::make_unique<CorruptedProduct>(good_->product(type, n), 3, error_, from_);
  }
  std::unique_ptr<StreamArrays> stream_arrays(std::size_t) override { throw OutOfMemory("test"); }
  std::unique_ptr<HostLink> host_link(std::size_t) override { return nullptr; }
  std::unique_ptr<MemoryUnderTest> memory(std::size_t) override { return good_->memory(4096); }

 private:
  std::unique_ptr<Backend> good_ = cpu_backend();
  double error_;
  int from_;
};

std::vector<Measurement> run(Backend& backend, std::vector<std::string> suites, std::vector<NumberType> types) {
  ComputeRequest request;
  request.suites = std::move(suites);
  request.types = std::move(types);
  request.size = 16;  // so small that the samples meet every row
  request.quick = true;
  request.duration = 0.02;
  std::vector<Measurement> measurements;
  run_suites(
      backend, request, [&](Measurement m) { measurements.push_back(std::move(m)); }, [] {});
  return measurements;
}

Fingerprint fingerprint(int index, std::uint64_t checksum, std::string model = "H200") {
  return {{.index = index, .model = std::move(model), .uuid = {}, .pci_bus_id = {}}, NumberType::bf16, checksum};
}

}  // namespace

TEST_CASE("on a good device every figure passes and carries its tolerance") {
  const auto backend = cpu_backend();
  const auto measurements = run(*backend, {"gemm", "exact"}, {});
  REQUIRE(measurements.size() == 4);
  for (const auto& m : measurements) CHECK_MESSAGE(m.verdict == Verdict::pass, m.name << " " << m.reason);
  CHECK(measurements[0].name == "gemm_fp64");
  CHECK(*measurements[0].value > 0);
  CHECK(measurements[0].params["tolerance"] == 1e-12);
  CHECK(measurements[3].name == "exact_fp32");
}

TEST_CASE("a type that the device lacks is a skip") {
  const auto backend = cpu_backend();
  for (const auto& m : run(*backend, {"gemm", "exact"}, {NumberType::fp8})) {
    CHECK(m.verdict == Verdict::skip);
    CHECK(m.reason == "type_not_supported");
  }
}

TEST_CASE("a wrong product fails, with its speed") {
  BadBackend backend(1, 0);
  const auto measurements = run(backend, {"gemm"}, {NumberType::fp64});
  REQUIRE(measurements.size() == 1);
  CHECK(measurements[0].verdict == Verdict::fail);
  CHECK(measurements[0].reason.rfind("element (3, ", 0) == 0);
  CHECK(measurements[0].value.has_value());
}

TEST_CASE("bits that change under load fail, though the product was right at first") {
  BadBackend backend(0, 5);
  const auto measurements = run(backend, {"gemm"}, {NumberType::fp32});
  REQUIRE(measurements.size() == 1);
  CHECK(measurements[0].verdict == Verdict::fail);
  CHECK(measurements[0].reason.find("silent corruption") != std::string::npos);
}

TEST_CASE("repeats with other bits fail the exact suite") {
  BadBackend backend(0, 2);
  const auto measurements = run(backend, {"exact"}, {NumberType::fp32});
  REQUIRE(measurements.size() == 1);
  CHECK(measurements[0].verdict == Verdict::fail);
  CHECK(measurements[0].reason == "2 of 3 repeats differ from the first: silent corruption");
}

TEST_CASE("memory that cannot be allocated is an error of every kernel, not a skip") {
  BadBackend backend(0, 0);
  const auto measurements = run(backend, {"bandwidth"}, {});
  REQUIRE(measurements.size() == 4);
  for (const auto& m : measurements) {
    CHECK(m.verdict == Verdict::error);
    CHECK(m.reason == "out_of_memory: test");
    CHECK(m.params.value("cause", "") == "out_of_memory");
  }
}

TEST_CASE("the memory suite reads all of the memory many times") {
  BadBackend backend(0, 0);
  const auto measurements = run(backend, {"memory"}, {});
  REQUIRE(measurements.size() == 1);
  CHECK(measurements[0].verdict == Verdict::pass);
  CHECK(measurements[0].params["bytes"] == 4096);
  CHECK(measurements[0].params["passes"] == 19);
}

TEST_CASE("all but the memory suite run where none is named, and a suite that is none is an error") {
  CHECK(compute_suites() == std::vector<std::string>{"gemm", "bandwidth", "link", "exact", "memory"});
  CHECK(compute_suites(true) == std::vector<std::string>{"gemm", "bandwidth", "link", "exact"});
  BadBackend backend(0, 0);
  const auto measurements = run(backend, {"gem"}, {});
  REQUIRE(measurements.size() == 1);
  CHECK(measurements[0].verdict == Verdict::error);
  CHECK(measurements[0].reason == "unknown suite");
}

TEST_CASE("the GPU whose product differs from the others' is named") {
  const auto measurements = compare_across({fingerprint(0, 7), fingerprint(1, 8), fingerprint(2, 7)});
  REQUIRE(measurements.size() == 3);
  CHECK(measurements[0].verdict == Verdict::pass);
  CHECK(measurements[1].verdict == Verdict::fail);
  CHECK(measurements[1].reason == "this GPU's product differs from that of 2 of 3 GPUs: silent corruption");
  CHECK(measurements[2].verdict == Verdict::pass);
}

TEST_CASE("two GPUs that differ both fail; models are not compared with each other, nor one GPU with itself") {
  for (const auto& m : compare_across({fingerprint(0, 7), fingerprint(1, 8)})) CHECK(m.verdict == Verdict::fail);
  CHECK(compare_across({fingerprint(0, 7, "A100"), fingerprint(1, 8)}).empty());
  CHECK(compare_across({fingerprint(0, 7)}).empty());
}
