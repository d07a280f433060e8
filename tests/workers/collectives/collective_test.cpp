#include "workers/collectives/collective.h"

#include <doctest/doctest.h>

#include "workers/collectives/collective_suites.h"

using namespace rv;
using namespace rv::workers;

TEST_CASE("sizes count as nccl-tests counts them") {
  const auto gather = make_call(Collective::all_gather, ElementType::fp32, 1024, false, 4);
  CHECK(gather.sent() == 64);
  CHECK(gather.received() == 256);
  CHECK(gather.bytes() == 1024);
  const auto scatter = make_call(Collective::reduce_scatter, ElementType::fp16, 1024, false, 4);
  CHECK(scatter.sent() == 512);
  CHECK(scatter.received() == 128);
  CHECK(make_call(Collective::alltoall, ElementType::fp64, 1000, false, 4).bytes() == 992);
  CHECK(make_call(Collective::all_reduce, ElementType::fp32, 1001, false, 4).bytes() == 1000);
  CHECK(make_call(Collective::all_gather, ElementType::fp64, 8, false, 4).part == 1);  // never none
}

TEST_CASE("bus bandwidth is nccl-tests'") {
  CHECK(bus_factor(Collective::all_reduce, 4) == 1.5);
  CHECK(bus_factor(Collective::all_gather, 4) == 0.75);
  CHECK(bus_factor(Collective::reduce_scatter, 8) == 0.875);
  CHECK(bus_factor(Collective::alltoall, 2) == 0.5);
  CHECK(bus_factor(Collective::broadcast, 4) == 1);
  CHECK(bus_factor(Collective::sendrecv, 4) == 1);
}

TEST_CASE("values are exact in their type, sums over all ranks too, and differ by rank and place") {
  for (const auto type : all_element_types) {
    for (const int world : {1, 2, 8, 300}) {
      Call call = make_call(Collective::all_reduce, type, 4096, false, world);
      const auto values = call.values();
      std::uint64_t most = 0, least = ~std::uint64_t{0};
      for (std::uint64_t i = 0; i < 500; ++i) {
        const auto sum = received_value(call.collective, values, 0, 0, call.part, i);
        most = std::max(most, sum);
        least = std::min(least, sum);
      }
      CHECK(most <= exact_integers(type));
      CHECK(most > 0);
    }
  }
  const auto values = values_for(4, 256, false);
  int same = 0;
  for (std::uint64_t i = 0; i < 1000; ++i) same += sent_value(values, 1, i) == sent_value(values, 2, i) ? 1 : 0;
  CHECK(same < 20);
}

TEST_CASE("what must arrive is what was sent") {
  const auto values = values_for(3, 1000, false);
  const std::uint64_t part = 5;
  // Rank 2's third element of the part that rank 1 sent it, and of what rank 1 gave to all.
  CHECK(received_value(Collective::alltoall, values, 2, 0, part, 1 * part + 3) == sent_value(values, 1, 2 * part + 3));
  CHECK(received_value(Collective::all_gather, values, 2, 0, part, 1 * part + 3) == sent_value(values, 1, 3));
  CHECK(received_value(Collective::broadcast, values, 2, 1, part, 3) == sent_value(values, 1, 3));
  CHECK(received_value(Collective::sendrecv, values, 0, 0, part, 3) == sent_value(values, 2, 3));
  const auto sum = [&](std::uint64_t place) {
    return sent_value(values, 0, place) + sent_value(values, 1, place) + sent_value(values, 2, place);
  };
  CHECK(received_value(Collective::all_reduce, values, 1, 0, part, 4) == sum(4));
  CHECK(received_value(Collective::reduce_scatter, values, 1, 0, part, 4) == sum(part + 4));
}

TEST_CASE("sizes are read and written in powers of 1024") {
  CHECK(parse_size("8") == 8);
  CHECK(parse_size("64K") == 65536);
  CHECK(parse_size("8G") == std::size_t{8} << 30);
  CHECK(parse_size("2MB") == std::size_t{2} << 20);
  for (const auto* bad : {"", "0", "x", "8T", "-1", "8 M", "99999999999G"}) CHECK_FALSE(parse_size(bad).has_value());
  CHECK(size_text(8) == "8");
  CHECK(size_text(1000) == "1000");
  CHECK(size_text(std::size_t{8} << 30) == "8G");
}

TEST_CASE("a sweep goes from begin by factor to end") {
  CollectiveRequest request;
  request.begin = 8;
  request.end = 100;
  CHECK(sweep_sizes(request) == std::vector<std::size_t>{8, 16, 32, 64});
  request.end = std::size_t{8} << 30;
  CHECK(sweep_sizes(request).back() == std::size_t{8} << 30);
}

TEST_CASE("the rank that is slow at the same work is found; ordinary spread names no rank") {
  CHECK(slow_ranks({10, 10, 14, 10}, 1.25) == std::vector<std::size_t>{2});
  CHECK(slow_ranks({10, 10.5, 11, 10}, 1.25).empty());
  CHECK(slow_ranks({1, 9, 14, 5}, 1.25).empty());
  CHECK(slow_ranks({10, 20}, 1.25) == std::vector<std::size_t>{1});
  CHECK(slow_ranks({10, 11}, 1.25).empty());
  CHECK(slow_ranks({10}, 1.25).empty());
}

TEST_CASE("one bad card of four makes half of the pairs slow, and all of them are named") {
  // Ordered pairs 01 02 03 10 12 13 20 21 23 30 31 32 with card 2 slow.
  CHECK(slow_pairs({10, 1, 10, 10, 1, 10, 1, 1, 1, 10, 10, 1}, 0.75) == std::vector<std::size_t>{1, 4, 6, 7, 8, 11});
  CHECK(slow_pairs({10, 9, 9.5, 10}, 0.75).empty());
}
