// TOML 1.0 as JSON values: pyproject.toml, Pipfile, pixi.toml, the block of a script.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string_view>

namespace rv::project {

/// The document as an object; numbers, dates and times are texts as written. Nothing for text that is not TOML, or
/// whose values are nested more than 50 levels deep.
std::optional<nlohmann::ordered_json> parse_toml(std::string_view text);

}  // namespace rv::project
