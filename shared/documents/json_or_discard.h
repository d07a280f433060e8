// JSON of which a damaged document is passed over, such as a line of a log or a message of a peer.
#pragma once

#include <string_view>

#include "shared/documents/document_excess.h"

namespace rv {

/// A discarded value for text that is not JSON or exceeds the limits. `check`, if given, is called as nlohmann's
/// parser_callback_t; what it throws passes.
template <class Json>
Json parse_json_or_discard(std::string_view text, const typename Json::parser_callback_t& check = nullptr) {
  if (!json_excess(text).empty()) return Json(Json::value_t::discarded);
  return Json::parse(text, check, /*allow_exceptions=*/false);
}

}  // namespace rv
