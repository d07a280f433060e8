#include "cli/remote/hop/hop_request.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/base64url.h"
#include "base/documents/parse_document.h"
#include "base/error.h"

namespace rv::remote {

namespace {

// Arguments may hold any bytes, which JSON text can't; its binary form takes them as they are.
using Document = nlohmann::json;

Document bytes(const std::string& text) {
  return Document::binary({text.begin(), text.end()});
}

std::string text(const Document& value) {
  const auto& stored = value.get_binary();
  return {stored.begin(), stored.end()};
}

}  // namespace

std::string encode(const HopRequest& request) {
  Document words = Document::array();
  for (const std::string& word : request.words) words.push_back(bytes(word));
  Document offsets = Document::array();
  for (const auto& [file, offset] : request.resume.offsets) offsets.push_back({bytes(file), offset});
  const os::Terminal& t = request.terminal;
  const Document document = {
      request.token,
      words,
      bytes(request.folder),
      request.signal,
      request.follows,
      {t.in, t.out, t.err, t.width, t.colour, t.utf8, t.cursor, t.one_output},
      {request.resume.wanted, request.resume.run, offsets},
      {request.project.name, bytes(request.project.folder), bytes(request.project.code)},
      request.dialogue,
  };
  const std::vector<std::uint8_t> packed = Document::to_msgpack(document);
  return base64url({reinterpret_cast<const char*>(packed.data()), packed.size()});
}

HopRequest decode(std::string_view encoded) {
  try {
    const Document document = parse_msgpack<Document>(from_base64url(encoded), "--hop");
    HopRequest request{.token = document.at(0),
                       .words = {},
                       .folder = text(document.at(2)),
                       .signal = document.at(3),
                       .follows = document.at(4),
                       .terminal = {},
                       .resume = {.wanted = document.at(6).at(0), .run = document.at(6).at(1), .offsets = {}},
                       .project = {.name = document.at(7).at(0),
                                   .folder = text(document.at(7).at(1)),
                                   .code = text(document.at(7).at(2))},
                       .dialogue = document.at(8)};
    for (const Document& word : document.at(1)) request.words.push_back(text(word));
    const Document& t = document.at(5);
    request.terminal = {.in = t.at(0),
                        .out = t.at(1),
                        .err = t.at(2),
                        .one_output = t.at(7),
                        .width = t.at(3),
                        .cursor = t.at(6),
                        .colour = t.at(4),
                        .utf8 = t.at(5)};
    for (const Document& pair : document.at(6).at(2)) request.resume.offsets[text(pair.at(0))] = pair.at(1);
    return request;
  } catch (const Document::exception&) {
    throw Error("the arguments after --hop were not written by rv", "use rv -H NAME on your own machine",
                ExitCode::usage);
  }
}

}  // namespace rv::remote
