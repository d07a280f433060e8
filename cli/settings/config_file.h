// Changing single settings in a settings file that a person may have written.
#pragma once

#include <string>
#include <string_view>

namespace rv {

/// The file's text with "key: value" at top level: in the place of the key's line, else at the end. Everything else,
/// comments included, stays as it is. Throws Error(usage) when the key's value takes several lines there.
std::string with_setting(std::string_view text, const std::string& key, const std::string& value);

/// Writes that to the file (0600, whole or not at all), if the key has another value there. True when it did. Throws
/// Error, and leaves the file as it is, when the outcome could not be read as settings.
bool write_setting(const std::string& path, const std::string& key, const std::string& value);

}  // namespace rv
