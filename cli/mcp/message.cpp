#include "cli/mcp/message.h"

#include "base/documents/parse_document.h"
#include "base/error.h"

namespace rv::mcp {
namespace {

BadMessage invalid(const Json& id, const std::string& reason) {
  return {id, {FaultCode::invalid_request, reason}};
}

bool is_id(const Json& value) {
  return value.is_string() || value.is_number_integer();
}

/// The message without its parameters, or what is wrong with it.
std::variant<Message, BadMessage, StrayResponse> read_envelope(const Json& document) {
  if (document.is_array()) return invalid(nullptr, "lists of messages are not supported: send one message per line");
  if (!document.is_object()) return invalid(nullptr, "the message is not an object");
  const auto found = document.find("id");
  const bool has_id = found != document.end();
  const Json id = has_id && is_id(*found) ? *found : Json();
  if (document.value("jsonrpc", Json()) != "2.0") return invalid(id, "the message needs \"jsonrpc\": \"2.0\"");
  const auto method = document.find("method");
  if (method == document.end()) {
    if (document.contains("result") || document.contains("error")) return StrayResponse{};
    return invalid(id, "the message needs a \"method\"");
  }
  if (!method->is_string()) return invalid(id, "\"method\" is not a string");
  if (has_id && id.is_null()) return invalid(nullptr, "\"id\" is neither a string nor an integer");
  return Message{.id = id, .method = *method};
}

}  // namespace

std::variant<Message, BadMessage, StrayResponse> read_message(std::string_view line) {
  Json document;
  try {
    document = parse_json<Json>(line, "the message");
  } catch (const Error& fault) {
    return invalid(nullptr, fault.what());
  } catch (const Json::exception&) {
    return BadMessage{nullptr, {FaultCode::not_json, "the message is not valid JSON in UTF-8"}};
  }
  auto read = read_envelope(document);
  auto* const message = std::get_if<Message>(&read);
  if (message == nullptr || !document.contains("params")) return read;
  if (!document["params"].is_object()) {
    if (message->is_notification()) return read;  // it has no response, also if it is not valid
    return BadMessage{message->id, {FaultCode::invalid_params, "\"params\" is not an object"}};
  }
  message->params = document["params"];
  return read;
}

Json result_response(const Json& id, const Json& result) {
  return {{"jsonrpc", "2.0"}, {"id", id}, {"result", result}};
}

Json error_response(const Json& id, const Fault& fault) {
  return {
      {"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", static_cast<int>(fault.code)}, {"message", fault.message}}}};
}

}  // namespace rv::mcp
