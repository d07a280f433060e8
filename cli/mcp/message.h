// JSON-RPC 2.0 messages: one line of text each, without newlines in it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <variant>

namespace rv::mcp {

using Json = nlohmann::ordered_json;

/// A message with more bytes than this is refused.
inline constexpr std::size_t longest_message = std::size_t{1} << 20;

/// Error codes of JSON-RPC 2.0.
enum class FaultCode : int {
  not_json = -32700,
  invalid_request = -32600,
  unknown_method = -32601,
  invalid_params = -32602,
};

/// An error response of the protocol, as opposed to the failure of a tool.
struct Fault {
  FaultCode code;
  std::string message;
};

struct Message {
  Json id;  // of a request: a string or an integer; null: a notification
  std::string method;
  Json params = Json::object();

  bool is_notification() const { return id.is_null(); }
};

/// A message that is not valid. `id` is null where it could not be read.
struct BadMessage {
  Json id;
  Fault fault;
};

/// A response of the client. The server sends no requests, so it ignores responses.
struct StrayResponse {};

/// Reads one line. A list of messages (a batch, which only revision 2025-03-26 has) is a bad message.
std::variant<Message, BadMessage, StrayResponse> read_message(std::string_view line);

Json result_response(const Json& id, const Json& result);

/// `id`: null if it is unknown.
Json error_response(const Json& id, const Fault& fault);

}  // namespace rv::mcp
