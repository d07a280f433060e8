#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace rv::workers {

/// Unpacks a gzip file (RFC 1952). Throws std::runtime_error if it is truncated, damaged, or longer than `most` bytes
/// when unpacked.
std::string gunzip(std::string_view bytes, std::size_t most);

}  // namespace rv::workers
