// The text of a file in the encoding that it declares.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace rv::project {

/// UTF-8 text as pip decodes a requirements file: by a byte order mark (UTF-8, UTF-16, UTF-32), by a comment in the
/// first two lines ("# -*- coding: latin-1 -*-"), else UTF-8. Bytes of another encoding that is named stay as they are.
std::string decoded(std::string_view bytes);

/// Adds a code point; an invalid one becomes U+FFFD.
void append_utf8(std::string& out, std::uint32_t point);

}  // namespace rv::project
