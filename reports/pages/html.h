// Text that is safe in HTML, and small pieces of it.
#pragma once

#include <string>
#include <string_view>

namespace rv::pages {

/// "&", "<", ">" and quotes made safe for HTML text and attributes.
std::string escape_html(std::string_view text);

/// A chart keeps its size, so that its letters can be read on a small screen, too: what is wider scrolls.
std::string scrolling(const std::string& chart);

/// A section that is closed until it is clicked; on paper it is open. `summary` and `html` are HTML. Empty without
/// `html`.
std::string folded(const std::string& summary, const std::string& html);

}  // namespace rv::pages
