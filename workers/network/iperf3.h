#pragma once

#include <optional>
#include <string>

namespace rv::workers {

/// Measurements with iperf3, for comparison with rv's own: one side is the server, the other sends. A function returns
/// nothing if iperf3 is not installed or does not complete.

/// Runs a server for one test at this address and port, for at most `most_seconds`.
void serve_iperf3(const std::string& address, int port, double most_seconds);
/// Returns GB/s (10⁹ bytes) as the receiver counted them, over `streams` streams. Waits for a server that is not up
/// yet.
std::optional<double> send_by_iperf3(const std::string& address, int port, int streams, double seconds);

bool has_iperf3();

/// Reads the bandwidth from iperf3's JSON; nothing if it reports an error or is not such a document.
std::optional<double> read_iperf3(const std::string& text);

}  // namespace rv::workers
