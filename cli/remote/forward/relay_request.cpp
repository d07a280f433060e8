#include "cli/remote/forward/relay_request.h"

#include <nlohmann/json.hpp>

#include "base/documents/parse_document.h"
#include "shared/documents/json_dump.h"
#include "shared/documents/json_integer.h"

namespace rv::forward {

namespace {

using Json = nlohmann::ordered_json;

Json to_json(const std::vector<Target>& targets) {
  Json list = Json::array();
  for (const Target& target : targets) list.push_back({{"node", target.node}, {"port", target.port}});
  return list;
}

std::vector<Target> targets(const Json& list) {
  std::vector<Target> out;
  for (const Json& target : list) out.push_back({target.at("node"), integer_at<int>(target, "port")});
  return out;
}

std::string text_of(const Json& json) {
  return json_dump(json);
}

[[noreturn]] void refuse() {
  throw Error("a forward received an invalid message",
              "check that both machines have the same rv, then forward the port again");
}

}  // namespace

std::string to_text(const RelayRequest& request) {
  return text_of({{"run", request.run},
                  {"node", request.node},
                  {"ports", request.ports},
                  {"auto", request.automatic},
                  {"targets", to_json(request.targets)}});
}

RelayRequest relay_request(const std::string& text) {
  try {
    const Json json = parse_json<Json>(text, "the relay's message");
    return {.run = json.at("run"),
            .node = json.at("node"),
            .ports = integers_of<int>(json.at("ports")),
            .automatic = json.at("auto"),
            .targets = targets(json.at("targets"))};
  } catch (const Json::exception&) {
    refuse();
  }
}

std::string to_text(const Hello& hello) {
  Json json{{"run", hello.run}, {"name", hello.name}, {"targets", to_json(hello.targets)}, {"fault", nullptr}};
  if (hello.fault) {
    json["fault"] = {{"message", hello.fault->what()},
                     {"advice", hello.fault->advice()},
                     {"code", static_cast<int>(hello.fault->code())}};
  }
  return text_of(json);
}

Hello hello(const std::string& text) {
  try {
    const Json json = parse_json<Json>(text, "the relay's message");
    Hello hello{.run = json.at("run"), .name = json.at("name"), .targets = targets(json.at("targets")), .fault = {}};
    const Json& fault = json.at("fault");
    if (!fault.is_null()) {
      const auto code = integer_at<int>(fault, "code");
      // A fault never ends rv with 0.
      hello.fault.emplace(fault.at("message").get<std::string>(), fault.at("advice"),
                          code >= 1 && code <= 255 ? static_cast<ExitCode>(code) : ExitCode::failed);
    }
    return hello;
  } catch (const Json::exception&) {
    refuse();
  }
}

}  // namespace rv::forward
