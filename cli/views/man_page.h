// Manual pages, made from the command tree.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace rv::cli {

/// The page of rv (the root) or of one command, in man's macros: "rv.1", "rv-run.1". Ends with a newline.
std::string man_page(const CLI::App& app);

/// Escapes a text for such a page: no part of it is read as a request or an escape.
std::string in_roff(const std::string& text);

}  // namespace rv::cli
