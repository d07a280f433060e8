#pragma once

#include <optional>
#include <string>

namespace rv::workers {

/// iperf3, another program for the same: one side serves, the other sends to it. Both return nothing where it is not
/// installed or does not come to its end.
/// Serves one test at this address and port, for at most so long.
void serve_iperf3(const std::string& address, int port, double most_seconds);
/// GB/s (10⁹ bytes) as the receiver counted it, over so many streams. A server that is not up yet is waited for.
std::optional<double> send_by_iperf3(const std::string& address, int port, int streams, double seconds);

bool has_iperf3();

/// From its JSON; nothing where it says an error or is no such document.
std::optional<double> read_iperf3(const std::string& text);

}  // namespace rv::workers
