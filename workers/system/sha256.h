#pragma once

#include <string>
#include <string_view>

namespace rv::workers {

/// SHA-256 (FIPS 180-4) of `bytes`: 32 bytes.
std::string sha256(std::string_view bytes);

/// HMAC-SHA256 (RFC 2104) of `message` with `key`: 64 hexadecimal digits.
std::string hmac_sha256(std::string_view key, std::string_view message);

}  // namespace rv::workers
