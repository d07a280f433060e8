// Active content: files that a browser may show as a page, which runs scripts with the rights of a local file.
#pragma once

#include <string_view>

namespace rv {

/// Whether a browser that opens the file may run code from it. Decided by the extension of `name`: plain text and data
/// (.log, .csv, .json, …) never have active content, pages and programs always do. For other extensions the beginning
/// of `content` decides: HTML, XML and PDF do (https://mimesniff.spec.whatwg.org).
bool has_active_content(std::string_view name, std::string_view content);

}  // namespace rv
