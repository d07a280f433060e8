#include "workers/compute/compute_suites.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <new>
#include <string_view>

#include "workers/devices/cause.h"
#include "workers/health/gpu_sampler.h"

namespace rv::workers {
namespace {

constexpr std::size_t checked_elements = 128;

using Emit = std::function<void(Measurement)>;
using Together = std::function<void()>;

/// Runs a part of a measurement; an exception becomes the verdict. Returns false after an exception.
template <class Part>
bool attempt(Measurement& m, Part part) {
  try {
    part();
    return true;
  } catch (const std::exception& error) {
    m.verdict = Verdict::error;
    m.reason = dynamic_cast<const std::bad_alloc*>(&error) != nullptr ? "out of memory on the host" : error.what();
    if (const auto cause = cause_of(error); !cause.empty()) m.params["cause"] = cause;
    return false;
  }
}

Measurement begin(const Backend& backend, std::string suite, std::string name, std::string unit = "") {
  Measurement m;
  m.suite = std::move(suite);
  m.name = std::move(name);
  m.device = backend.device();
  m.unit = std::move(unit);
  m.reason = "not measured";
  return m;
}

void judge(Measurement& m, const std::string& wrong) {
  m.verdict = wrong.empty() ? Verdict::pass : Verdict::fail;
  m.reason = wrong;
}

StoppingRule::Limits limits(const ComputeRequest& request) {
  if (request.quick) return {0.2, 1, 10, 0.002};
  return {1, 5, 20, 0.001};
}

bool on_host(const Backend& backend) {
  return backend.device().index < 0;
}

std::size_t product_size(const Backend& backend, NumberType type, const ComputeRequest& request) {
  if (request.size) return *request.size;
  if (on_host(backend)) return request.quick ? 512 : 1024;
  return type == NumberType::fp64 ? 4096 : 8192;
}

std::vector<NumberType> types_for(const Backend& backend, const ComputeRequest& request) {
  if (!request.types.empty()) return request.types;
  std::vector<NumberType> types;
  for (const auto type : all_number_types) {
    if (backend.lacks(type).empty()) types.push_back(type);
  }
  return types;
}

/// If the device cannot multiply in the type, makes the measurement a skip and returns true.
bool skipped(const Backend& backend, NumberType type, Measurement& m) {
  const auto why = backend.lacks(type);
  if (why.empty()) return false;
  m.verdict = Verdict::skip;
  m.reason = "type_not_supported";
  m.params["detail"] = why;
  return true;
}

std::string hex(std::uint64_t number) {
  return fmt::format("{:016x}", number);
}

/// Clocks, power, temperature and throttling while the products ran.
void add_load(Measurement& m, GpuSampler& sampler, std::string& wrong) {
  const auto& samples = sampler.stop();
  if (!sampler.unavailable().empty()) {
    m.params["load"] = "not available: " + sampler.unavailable();
    return;
  }
  m.params["load"] = summarize_load(samples);
  if (wrong.empty()) wrong = harmful_throttling(samples);
}

void run_gemm(Backend& backend, const ComputeRequest& request, const Emit& emit, const Together& together) {
  for (const auto type : types_for(backend, request)) {
    auto m = begin(backend, "gemm", fmt::format("gemm_{}", number_type_name(type)), "TFLOP/s");
    const auto n = product_size(backend, type, request);
    m.params = {{"type", number_type_name(type)}, {"n", n}};
    std::unique_ptr<Product> product;
    ProductCheck check;
    std::uint64_t before = 0;
    const bool ready = !skipped(backend, type, m) && attempt(m, [&] {
      product = backend.product(type, n);
      m.params["algorithms_tried"] = product->tune();
      product->poison();
      product->run(1);
      check = check_product(*product, checked_elements);
      before = product->digest().checksum;
      m.params["checked_elements"] = checked_elements;
      m.params["worst_error"] = check.worst_error;
      m.params["worst_row"] = check.worst_row;
      m.params["tolerance"] = tolerance(type);
    });
    together();
    if (ready) {
      attempt(m, [&] {
        auto until = limits(request);
        if (request.duration) until.least_seconds = until.most_seconds = *request.duration;
        std::optional<GpuSampler> sampler;
        if (request.duration && !on_host(backend)) sampler.emplace(backend.device().pci_bus_id);
        const auto speed = measure_product(*product, until);
        m.value = speed.teraflops;
        m.spread = speed.spread;
        m.params["samples"] = speed.samples;
        m.params["products_per_sample"] = speed.repeats;
        m.params["first_tenth"] = speed.first;
        m.params["last_tenth"] = speed.last;
        if (sampler) add_load(m, *sampler, check.wrong);
        if (check.wrong.empty() && product->digest().checksum != before) {
          check.wrong = "the product's bits changed between the first and the last run: silent corruption";
        }
        judge(m, check.wrong);
      });
    }
    emit(std::move(m));
  }
}

void add_speed(Measurement& m, const Speed& speed) {
  m.value = speed.median;
  m.spread = speed.spread;
  m.params["samples"] = speed.samples;
}

void run_streams(Backend& backend, const ComputeRequest& request, const Emit& emit, const Together& together) {
  auto bytes = std::size_t{request.quick ? 512U : 1024U} << 20;
  if (on_host(backend)) bytes /= 8;
  bytes = std::min<std::size_t>(bytes, backend.device().memory_bytes / 8);
  auto first = begin(backend, "bandwidth", "");
  std::unique_ptr<StreamArrays> arrays;
  const bool ready = attempt(first, [&] { arrays = backend.stream_arrays(bytes); });
  for (const auto kernel : all_stream_kernels) {
    auto m = first;  // with the reason, if there are no arrays
    m.name = stream_kernel_name(kernel);
    m.unit = "GB/s";
    m.params.update({{"array_bytes", ready ? arrays->bytes() : bytes}, {"arrays_moved", arrays_moved(kernel)}});
    together();
    if (ready) {
      attempt(m, [&] {
        arrays->poison();
        add_speed(m, measure_stream(*arrays, kernel, limits(request)));
        const auto wrong = arrays->wrong_elements(kernel);
        judge(m, wrong == 0 ? "" : wrong == 1 ? "1 element is wrong" : fmt::format("{} elements are wrong", wrong));
      });
    }
    emit(std::move(m));
  }
}

void run_link(Backend& backend, const ComputeRequest& request, const Emit& emit, const Together& together) {
  if (on_host(backend)) return;
  const auto bytes = std::size_t{request.quick ? 64U : 256U} << 20;
  auto first = begin(backend, "link", "");
  std::unique_ptr<HostLink> link;
  std::uint64_t wrong = 0;
  const bool ready = attempt(first, [&] {
    link = backend.host_link(bytes);
    wrong = link->wrong_words();
  });
  const auto broken = wrong == 0 ? "" : fmt::format("{} of {} words differ from what was written", wrong, bytes / 8);
  for (const auto direction : {CopyDirection::to_device, CopyDirection::to_host}) {
    const std::string name = direction == CopyDirection::to_device ? "h2d" : "d2h";
    auto m = first;
    m.name = name;
    m.unit = "GB/s";
    m.params.update({{"bytes", bytes}, {"pinned", true}});
    together();
    if (ready) {
      attempt(m, [&] {
        add_speed(m, measure_copy(*link, direction, limits(request)));
        judge(m, broken);
      });
    }
    emit(std::move(m));

    m = first;
    m.name = name + "_latency";
    m.unit = "us";
    m.params.update({{"bytes", sizeof(std::uint64_t)}, {"pinned", true}});
    together();
    if (ready) {
      attempt(m, [&] {
        add_speed(m, measure_latency(*link, direction, {0.02, 0.2, 100, 0.005}));
        judge(m, broken);
      });
    }
    emit(std::move(m));
  }
}

std::vector<Fingerprint> run_exact(Backend& backend, const ComputeRequest& request, const Emit& emit,
                                   const Together& together) {
  std::vector<Fingerprint> fingerprints;
  const int repeats = request.quick ? 3 : 20;
  for (const auto type : types_for(backend, request)) {
    auto m = begin(backend, "exact", fmt::format("exact_{}", number_type_name(type)));
    const auto n = product_size(backend, type, request);
    m.params = {{"type", number_type_name(type)}, {"n", n}, {"repeats", repeats}};
    together();
    if (!skipped(backend, type, m)) {
      attempt(m, [&] {
        // Not tuned: two GPUs may time two algorithms differently, and two algorithms differ in their last bits.
        const auto product = backend.product(type, n);
        Product::Digest first;
        int differing = 0;
        for (int i = 0; i < repeats; ++i) {
          product->poison();
          product->run(1);
          const auto digest = product->digest();
          if (i == 0) first = digest;
          if (digest.checksum != first.checksum) ++differing;
        }
        m.params["checksum"] = hex(first.checksum);
        std::string wrong;
        if (first.not_finite > 0) wrong = fmt::format("{} elements are NaN or infinite", first.not_finite);
        if (differing > 0) {
          wrong = fmt::format("{} of {} repeats differ from the first: silent corruption", differing, repeats);
        }
        judge(m, wrong);
        fingerprints.push_back({backend.device(), type, first.checksum});
      });
    }
    emit(std::move(m));
  }
  return fingerprints;
}

void run_memory(Backend& backend, const ComputeRequest& request, const Emit& emit, const Together& together) {
  auto m = begin(backend, "memory", "memory_test");
  together();
  attempt(m, [&] {
    const auto memory = backend.memory(std::size_t{request.quick ? 16U : 256U} << 20);
    const auto begin = std::chrono::steady_clock::now();
    const auto verdict = test_memory(*memory, request.quick);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    m.params = {{"bytes", memory->words() * sizeof(std::uint64_t)},
                {"device_bytes", backend.device().memory_bytes},
                {"passes", verdict.passes},
                {"bad_words", verdict.count},
                {"seconds", seconds.count()}};
    judge(m, verdict.wrong);
  });
  emit(std::move(m));
}

using Run = std::vector<Fingerprint> (*)(Backend&, const ComputeRequest&, const Emit&, const Together&);

/// A suite whose results are not compared with other devices.
template <auto run>
std::vector<Fingerprint> alone(Backend& backend, const ComputeRequest& request, const Emit& emit,
                               const Together& together) {
  run(backend, request, emit, together);
  return {};
}

struct Suite {
  std::string_view name;
  Run run;
  bool unasked = true;  // runs if no suite is named
};

constexpr std::array suites{
    Suite{.name = "gemm", .run = alone<run_gemm>},
    Suite{.name = "bandwidth", .run = alone<run_streams>},
    Suite{.name = "link", .run = alone<run_link>},
    Suite{.name = "exact", .run = run_exact},
    Suite{.name = "memory", .run = alone<run_memory>, .unasked = false},
};

}  // namespace

std::vector<std::string> compute_suites(bool unasked_only) {
  std::vector<std::string> names;
  for (const auto& suite : suites) {
    if (suite.unasked || !unasked_only) names.emplace_back(suite.name);
  }
  return names;
}

std::vector<Fingerprint> run_suites(Backend& backend, const ComputeRequest& request, const Emit& emit,
                                    const Together& together) {
  std::vector<Fingerprint> fingerprints;
  for (const auto& name : request.suites) {
    const auto suite = std::find_if(suites.begin(), suites.end(), [&](const Suite& one) { return one.name == name; });
    if (suite == suites.end()) {
      auto m = begin(backend, name, name);
      m.verdict = Verdict::error;
      m.reason = "unknown suite";
      emit(std::move(m));
      continue;
    }
    auto own = suite->run(backend, request, emit, together);
    if (!own.empty()) fingerprints = std::move(own);
  }
  return fingerprints;
}

std::vector<Measurement> compare_across(const std::vector<Fingerprint>& fingerprints) {
  std::map<std::pair<std::string, NumberType>, std::vector<const Fingerprint*>> groups;
  for (const auto& f : fingerprints) groups[{f.device.model, f.type}].push_back(&f);
  std::vector<Measurement> measurements;
  for (const auto& [key, group] : groups) {
    if (group.size() < 2) continue;
    std::map<std::uint64_t, std::size_t> votes;
    for (const auto* f : group) ++votes[f->checksum];
    const auto most =
        std::max_element(votes.begin(), votes.end(), [](auto& a, auto& b) { return a.second < b.second; });
    const bool majority = 2 * most->second > group.size();
    for (const auto* f : group) {
      Measurement m;
      m.suite = "exact";
      m.name = fmt::format("across_{}", number_type_name(f->type));
      m.device = f->device;
      m.params = {{"type", number_type_name(f->type)}, {"gpus", group.size()}, {"checksum", hex(f->checksum)}};
      std::string wrong;
      if (!majority) {
        wrong = fmt::format("{} GPUs computed {} different products, without a majority for one of them", group.size(),
                            votes.size());
      } else if (f->checksum != most->first) {
        wrong = fmt::format("this GPU's product differs from that of {} of {} GPUs: silent corruption", most->second,
                            group.size());
      }
      judge(m, wrong);
      measurements.push_back(std::move(m));
    }
  }
  return measurements;
}

}  // namespace rv::workers
