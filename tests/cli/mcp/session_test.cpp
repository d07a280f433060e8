#include "cli/mcp/session.h"

#include <doctest/doctest.h>

namespace rv::mcp {
namespace {

struct Connection {
  std::vector<Json> sent = {};
  Session session{{{"tools", Json::array({{{"name", "ps"}}, {{"name", "show"}}})}},
                  [this](const Json& message) { sent.push_back(message); }};

  /// The response to a line; null if there is none.
  Json send(std::string_view line) {
    const auto before = sent.size();
    session.receive(line);
    return sent.size() == before ? Json() : sent.back();
  }
  void initialize() {
    send(R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18"}})");
  }
};

constexpr const char* call_of_ps = R"({"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"ps"}})";

}  // namespace

TEST_CASE("a client and the server agree on the client's revision, or on the newest of the server") {
  Connection connection;
  const auto revision = [&](const std::string& requested) {
    const Json request = {
        {"jsonrpc", "2.0"}, {"id", "x"}, {"method", "initialize"}, {"params", {{"protocolVersion", requested}}}};
    return connection.send(request.dump()).at("result").at("protocolVersion").get<std::string>();
  };
  CHECK(revision("2024-11-05") == "2024-11-05");
  CHECK(revision("2025-03-26") == "2025-03-26");
  CHECK(revision("1999-01-01") == "2025-11-25");
}

TEST_CASE("tools need initialize, and ping does not") {
  Connection connection;
  CHECK(connection.send(R"({"jsonrpc":"2.0","id":1,"method":"ping"})").at("result") == Json::object());
  CHECK(connection.send(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})").at("error").at("code") == -32600);
  connection.initialize();
  CHECK(connection.send(R"({"jsonrpc":"2.0","id":1,"method":"tools/list"})").at("result").at("tools").size() == 2);
}

TEST_CASE("a message that is not valid has an error response with its ID, if that can be read") {
  Connection connection;
  connection.initialize();
  const auto error = [&](std::string_view line) {
    const auto response = connection.send(line);
    return std::pair(response.at("id"), response.at("error").at("code").get<int>());
  };
  CHECK(error("{") == std::pair(Json(), -32700));
  CHECK(error("[]") == std::pair(Json(), -32600));
  CHECK(error(R"({"jsonrpc":"1.0","id":4,"method":"ping"})") == std::pair(Json(4), -32600));
  CHECK(error(R"({"jsonrpc":"2.0","id":null,"method":"ping"})") == std::pair(Json(), -32600));
  CHECK(error(R"({"jsonrpc":"2.0","id":1.5,"method":"ping"})") == std::pair(Json(), -32600));
  CHECK(error(R"({"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"p"}})") ==
        std::pair(Json("a"), -32602));
  CHECK(connection.send(R"({"jsonrpc":"2.0","id":4,"result":{}})").is_null());
  CHECK(connection.send(R"({"jsonrpc":"2.0","method":"unknown"})").is_null());
  CHECK(connection.send(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":null})").is_null());
  CHECK(connection.send(" \r").is_null());
}

TEST_CASE("a call waits until its result is there, and a cancelled one has no response") {
  Connection connection;
  connection.initialize();
  CHECK(connection.send(call_of_ps).is_null());
  REQUIRE(connection.session.has_call());
  CHECK(connection.session.first_call().tool == "ps");
  connection.session.respond_to_first({{"content", Json::array()}});
  CHECK(connection.sent.back().at("id") == 7);
  CHECK(!connection.session.has_call());
  const auto before = connection.sent.size();
  connection.send(call_of_ps);
  connection.send(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":8}})");
  CHECK(!connection.session.first_call().cancelled);
  connection.send(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}})");
  CHECK(connection.session.first_call().cancelled);
  connection.session.respond_to_first({});
  CHECK(connection.sent.size() == before);
}

}  // namespace rv::mcp
