#include <gloo/algorithm.h>
#include <gloo/allgather.h>
#include <gloo/allreduce.h>
#include <gloo/alltoall.h>
#include <gloo/broadcast.h>
#include <gloo/rendezvous/context.h>
#include <gloo/rendezvous/store.h>
#include <gloo/transport/tcp/device.h>

#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>

#include "shared/documents/json_integer.h"
#include "workers/collectives/communicator.h"
#include "workers/devices/processor_time.h"
#include "workers/older_glibc/unwinder.h"

namespace rv::workers {
namespace {

/// gloo's ranks exchange their addresses through rv's coordinator.
class PeerStore : public gloo::rendezvous::Store {
 public:
  explicit PeerStore(Peer& peer) : peer_(peer) {}

  void set(const std::string& key, const std::vector<char>& data) override {
    // Every rank sets the same number of keys in the same order, so each set is one gather.
    const auto bytes = std::vector<int>(data.begin(), data.end());
    for (const auto& part : peer_.gather("gloo's addresses", {{"key", key}, {"bytes", bytes}})) {
      const auto other = integers_of<int>(part["bytes"]);
      known_[part["key"].get<std::string>()] = std::vector<char>(other.begin(), other.end());
    }
  }
  std::vector<char> get(const std::string& key) override { return known_.at(key); }
  void wait(const std::vector<std::string>& keys) override {
    for (const auto& key : keys) known_.at(key);
  }

 private:
  Peer& peer_;
  std::map<std::string, std::vector<char>> known_;
};

float from_bf16(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

/// Rounds to nearest, ties to even; NaN does not occur.
std::uint16_t to_bf16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  return static_cast<std::uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

/// A bf16 number on the host.
struct Bf16 {
  std::uint16_t bits;
  Bf16() = default;
  explicit Bf16(double value) : bits(to_bf16(static_cast<float>(value))) {}
  explicit operator double() const { return from_bf16(bits); }
};

template <class T>
T number(double value) {
  if constexpr (std::is_same_v<T, Bf16>) {
    return Bf16(value);
  } else {
    return static_cast<T>(value);
  }
}

template <class T>
void add(void* sum, const void* a, const void* b, std::size_t count) {
  auto* const s = static_cast<T*>(sum);
  const auto* const x = static_cast<const T*>(a);
  const auto* const y = static_cast<const T*>(b);
  for (std::size_t i = 0; i < count; ++i) {
    s[i] = number<T>(static_cast<double>(x[i]) + static_cast<double>(y[i]));
  }
}

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

class GlooCommunicator : public Communicator {
 public:
  explicit GlooCommunicator(Peer& peer) : peer_(peer), device_(host_processor()) {
    gloo::transport::tcp::attr attributes;
    const auto* const interface = std::getenv("GLOO_SOCKET_IFNAME");
    if (interface != nullptr) {
      attributes.iface = interface;
    } else {
      attributes.hostname = peer.address();
    }
    auto device = gloo::transport::tcp::CreateDevice(attributes);
    auto context = std::make_shared<gloo::rendezvous::Context>(peer.rank(), peer.world());
    context->setTimeout(peer.deadlines().step);
    PeerStore store(peer);
    context->connectFullMesh(store, device);
    context_ = std::move(context);
  }

  const Device& device() const override { return device_; }
  std::string library() const override { return "gloo"; }
  bool supports(ElementType type) const override { return type != ElementType::fp16; }
  std::size_t most_bytes() const override { return device_.memory_bytes / 8 / peer_.world(); }

  void reserve(std::size_t bytes) override {
    send_.assign(bytes, 0);
    receive_.assign(bytes, 0);
  }

  void prepare(const Call& call) override {
    std::memset(receive_.data(), 0xff, call.received() * element_bytes(call.type));
    with_type(call.type, [&](auto element) {
      using T = decltype(element);
      auto* const data = reinterpret_cast<T*>(source(call));
      const auto values = call.values();
      for (std::uint64_t i = 0; i < call.sent(); ++i) {
        data[i] = number<T>(static_cast<double>(sent_value(values, peer_.rank(), i)));
      }
    });
  }

  double run(const Call& call, int iterations) override {
    run_once(call);
    const auto begin = Clock::now();
    for (int i = 0; i < iterations; ++i) run_once(call);
    return seconds_since(begin);
  }

  void run_once(const Call& call) override {
    linked([&] { with_type(call.type, [&](auto element) { collect<decltype(element)>(call); }); });
  }

  Received check(const Call& call) override {
    Received result;
    with_type(call.type, [&](auto element) {
      using T = decltype(element);
      const auto* const data = reinterpret_cast<const T*>(sink(call));
      const auto values = call.values();
      for (std::uint64_t i = 0; i < call.received(); ++i) {
        const auto expected = number<T>(
            static_cast<double>(received_value(call.collective, values, peer_.rank(), call.root, call.part, i)));
        // Bit for bit: -0 is not 0 here.
        // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison)
        if (std::memcmp(&data[i], &expected, sizeof(T)) == 0) continue;
        if (result.wrong++ == 0) {
          result.first = i;
          result.expected = static_cast<double>(expected);
          result.got = static_cast<double>(data[i]);
        }
      }
    });
    return result;
  }

  void corrupt(const Call& call, std::uint64_t index, bool nan) override {
    with_type(call.type, [&](auto element) {
      using T = decltype(element);
      auto* const data = reinterpret_cast<T*>(sink(call)) + index % call.received();
      if (nan) {
        std::memset(static_cast<void*>(data), 0xff, sizeof(T));  // NaN in every floating type
      } else {
        *data = number<T>(static_cast<double>(*data) + 1);
      }
    });
  }

  double transfer(int from, int to, std::size_t bytes, int iterations, bool both) override {
    const int me = peer_.rank();
    if (me != from && me != to) return 0;
    const int other = me == from ? to : from;
    auto out = context_->createUnboundBuffer(send_.data(), bytes);
    auto in = context_->createUnboundBuffer(receive_.data(), bytes);
    const auto limit = peer_.deadlines().step;
    Clock::time_point begin;
    linked([&] {
      for (int i = -1; i < iterations; ++i) {
        if (i == 0) begin = Clock::now();
        if (me == from || both) out->send(other, 7);
        if (me == to || both) in->recv(other, 7);
        if (me == from || both) out->waitSend(limit);
        if (me == to || both) in->waitRecv(limit);
      }
    });
    return seconds_since(begin) / iterations;
  }

  double work(int rounds) override {
    // CPU time instead of elapsed time: other programs run on the host too.
    const auto begin = processor_seconds();
    volatile double seen = 1;  // otherwise the compiler may move the computation out of the timed part
    double x = seen;
    for (int i = 0; i < rounds * 20000; ++i) x = x * 0.999999 + 1e-6;
    seen = x;
    return processor_seconds() - begin;
  }

  void all_reduce(float* data, std::size_t count) override {
    linked([&] {
      gloo::AllreduceOptions options(context_);
      options.setOutput(data, count);
      options.setReduceFunction(static_cast<void (*)(void*, const void*, const void*, std::size_t)>(add<float>));
      options.setAlgorithm(gloo::AllreduceOptions::Algorithm::RING);
      gloo::allreduce(options);
    });
  }

  void all_reduce_on(float* data, std::size_t count, void*) override { all_reduce(data, count); }

  void swap_on(std::span<const SentTo>, std::span<const ReceivedFrom>, void*) override {
    throw std::logic_error("gloo's ranks have no streams to swap on");
  }

 private:
  /// gloo throws if the other side ended or a deadline passed.
  template <class Action>
  void linked(Action action) {
    peer_.check();
    try {
      action();
    } catch (const gloo::Exception& error) {
      throw LinkBroken(std::string("gloo: ") + error.what());
    }
  }

  template <class Action>
  static void with_type(ElementType type, Action action) {
    switch (type) {
      case ElementType::int8:
        return action(std::int8_t{});
      case ElementType::int32:
        return action(std::int32_t{});
      case ElementType::int64:
        return action(std::int64_t{});
      case ElementType::bf16:
        return action(Bf16{});
      case ElementType::fp32:
        return action(float{});
      case ElementType::fp64:
        return action(double{});
      case ElementType::fp16:
        break;
    }
    throw std::runtime_error("the CPU path has no fp16");
  }

  std::byte* bytes(std::vector<char>& buffer) { return reinterpret_cast<std::byte*>(buffer.data()); }
  std::size_t own_part(const Call& call) const {
    return static_cast<std::size_t>(peer_.rank()) * call.part * element_bytes(call.type);
  }
  /// The send buffer. In place, it is the receive buffer, and for all_gather and reduce_scatter this rank's part of it.
  std::byte* source(const Call& call) {
    if (!call.in_place) return bytes(send_);
    return bytes(receive_) + (call.collective == Collective::all_gather ? own_part(call) : 0);
  }
  std::byte* sink(const Call& call) {
    const bool part = call.in_place && call.collective == Collective::reduce_scatter;
    return bytes(receive_) + (part ? own_part(call) : 0);
  }

  template <class T>
  void collect(const Call& call) {
    auto* const in = reinterpret_cast<T*>(source(call));
    auto* const out = reinterpret_cast<T*>(sink(call));
    const auto sum = static_cast<void (*)(void*, const void*, const void*, std::size_t)>(add<T>);
    switch (call.collective) {
      case Collective::all_reduce: {
        gloo::AllreduceOptions options(context_);
        if (!call.in_place) options.setInput(in, call.part);
        options.setOutput(out, call.part);
        options.setReduceFunction(sum);
        options.setAlgorithm(gloo::AllreduceOptions::Algorithm::RING);
        gloo::allreduce(options);
        break;
      }
      case Collective::all_gather: {
        gloo::AllgatherOptions options(context_);
        if (!call.in_place) options.setInput(in, call.part);
        options.setOutput(out, call.received());
        gloo::allgather(options);
        break;
      }
      case Collective::reduce_scatter: {
        // gloo has no reduce_scatter for any number of ranks: each rank receives the parts for its position from all,
        // and adds them.
        std::vector<T> parts(call.sent());
        exchange(in, parts.data(), call);
        std::vector<T> total(parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(call.part));
        for (int other = 1; other < call.world; ++other) {
          sum(total.data(), total.data(), parts.data() + static_cast<std::size_t>(other) * call.part, call.part);
        }
        std::copy(total.begin(), total.end(), out);
        break;
      }
      case Collective::broadcast: {
        gloo::BroadcastOptions options(context_);
        if (peer_.rank() == call.root && !call.in_place) options.setInput(in, call.part);
        options.setOutput(out, call.part);
        options.setRoot(call.root);
        gloo::broadcast(options);
        break;
      }
      case Collective::alltoall:
        exchange(in, out, call);
        break;
      case Collective::sendrecv: {
        const int above = (peer_.rank() + 1) % call.world, below = (peer_.rank() + call.world - 1) % call.world;
        if (call.world == 1) {
          std::copy(in, in + call.part, out);
          break;
        }
        auto sent = context_->createUnboundBuffer(in, call.part * sizeof(T));
        auto got = context_->createUnboundBuffer(out, call.part * sizeof(T));
        got->recv(below, 9);
        sent->send(above, 9);
        sent->waitSend(peer_.deadlines().step);
        got->waitRecv(peer_.deadlines().step);
        break;
      }
    }
  }

  template <class T>
  void exchange(T* in, T* out, const Call& call) {
    gloo::AlltoallOptions options(context_);
    options.setInput(in, call.sent());
    options.setOutput(out, call.sent());
    gloo::alltoall(options);
  }

  Peer& peer_;
  Device device_;
  std::shared_ptr<gloo::Context> context_;
  std::vector<char> send_, receive_;
};

}  // namespace

std::unique_ptr<Communicator> gloo_communicator(Peer& peer) {
  ready_unwinder();
  return std::make_unique<GlooCommunicator>(peer);
}

}  // namespace rv::workers
