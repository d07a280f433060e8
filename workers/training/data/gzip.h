#pragma once

#include <string>
#include <string_view>

namespace rv::workers {

/// What a gzip file (RFC 1952) holds. Throws std::runtime_error where it is cut off or damaged.
std::string gunzip(std::string_view bytes);

}  // namespace rv::workers
