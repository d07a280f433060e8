#include "workers/network/iperf3.h"

#include <fmt/format.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>

#include "shared/documents/json_or_discard.h"
#include "workers/devices/other_program.h"

namespace rv::workers {
namespace {

constexpr auto between_tries = std::chrono::milliseconds(50);
constexpr auto time_to_connect = std::chrono::seconds(3);

}  // namespace

bool has_iperf3() {
  return !program_in_path("iperf3").empty();
}

void serve_iperf3(const std::string& address, int port, double most_seconds) {
  output_of({program_in_path("iperf3"), "-s", "-1", "-B", address, "-p", std::to_string(port)}, most_seconds);
}

std::optional<double> send_by_iperf3(const std::string& address, int port, int streams, double seconds) {
  const auto until = std::chrono::steady_clock::now() + time_to_connect;
  do {
    const auto text =
        output_of({program_in_path("iperf3"), "-c", address, "-p", std::to_string(port), "-P", std::to_string(streams),
                   "-t", fmt::format("{}", seconds < 1 ? 1 : seconds), "-l", "1M", "-N", "-J"},
                  seconds + 10);
    // With -J the exit code is 0 even after a failure.
    if (const auto value = read_iperf3(text.value_or(""))) return value;
    std::this_thread::sleep_for(between_tries);
  } while (std::chrono::steady_clock::now() < until);
  return std::nullopt;
}

std::optional<double> read_iperf3(const std::string& text) {
  const auto document = parse_json_or_discard<nlohmann::json>(text);
  if (!document.is_object()) return std::nullopt;
  try {
    const auto bits = document.at("end").at("sum_received").at("bits_per_second").get<double>();
    if (!(bits > 0)) return std::nullopt;
    return bits / 8e9;
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

}  // namespace rv::workers
