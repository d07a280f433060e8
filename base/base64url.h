// Base 64 with the alphabet for URLs, without padding (RFC 4648, section 5).
#pragma once

#include <string>
#include <string_view>

namespace rv {

std::string base64url(std::string_view bytes);
/// Returns the decoded bytes. Characters outside the alphabet are skipped.
std::string from_base64url(std::string_view text);

}  // namespace rv
