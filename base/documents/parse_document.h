// The only way to JSON and MessagePack from outside this process: limits are checked before they are decoded
// (limits/document_excess.h). tests/arrows/check.py refuses a decoder that is called outside of this folder.
#pragma once

#include <string>
#include <string_view>

#include "shared/documents/document_excess.h"
#include "shared/documents/json_or_discard.h"

namespace rv {

/// Throws Error(usage), "WHAT: REASON", for a reason that is not empty.
void refuse_excess(const std::string& reason, const std::string& what);

/// `what`: the file or peer, for the message. Throws Error(usage) for text that exceeds the limits, and
/// Json::parse_error for text that is not JSON.
template <class Json>
Json parse_json(std::string_view text, const std::string& what) {
  refuse_excess(json_excess(text), what);
  return Json::parse(text);
}

/// The same for MessagePack.
template <class Json>
Json parse_msgpack(std::string_view bytes, const std::string& what) {
  refuse_excess(msgpack_excess(bytes), what);
  return Json::from_msgpack(bytes);
}

}  // namespace rv
