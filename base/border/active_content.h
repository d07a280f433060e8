// Active content: files that a browser may show as a page, which runs scripts with the rights of a local file.
#pragma once

#include <string_view>

namespace rv {

/// Whether a browser that opens the file may run something in it. `name`: its extension counts; a file of plain text or
/// data (.log, .csv, .json, …) has none. Any other file has some if it has the extension of a page or a program,
/// or if its content begins as HTML, XML or PDF does (https://mimesniff.spec.whatwg.org).
bool has_active_content(std::string_view name, std::string_view content);

}  // namespace rv
