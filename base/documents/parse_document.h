// Decodes JSON and MessagePack from outside this process, after checking the limits of
// shared/documents/document_excess.h. tests/arrows/check.py rejects calls of decoders in other folders.
#pragma once

#include <string>
#include <string_view>

#include "shared/documents/document_excess.h"
#include "shared/documents/json_or_discard.h"

namespace rv {

/// Throws Error(usage), "WHAT: REASON", unless `reason` is empty.
void refuse_excess(const std::string& reason, const std::string& what);

/// `what`: the file or peer, for the message. Throws Error(usage) for text that exceeds the limits, and
/// Json::parse_error for text that is not JSON.
template <class Json>
Json parse_json(std::string_view text, const std::string& what) {
  refuse_excess(json_excess(text), what);
  return Json::parse(text);
}

/// Like parse_json(), for MessagePack.
template <class Json>
Json parse_msgpack(std::string_view bytes, const std::string& what) {
  refuse_excess(msgpack_excess(bytes), what);
  return Json::from_msgpack(bytes);
}

}  // namespace rv
