#include "cli/open/announcement.h"

#include <nlohmann/json.hpp>

#include "base/documents/parse_document.h"
#include "base/error.h"
#include "shared/documents/json_dump.h"
#include "shared/documents/json_integer.h"

namespace rv::cli {

using Json = nlohmann::ordered_json;

std::string to_text(const Announcement& announcement) {
  Json ports = Json::array();
  for (const auto& port : announcement.ports) ports.push_back({port.local, port.remote});
  const Json json{{"run", announcement.run},
                  {"node", announcement.node},
                  {"ports", ports},
                  {"page", announcement.page},
                  {"secure", announcement.secure}};
  return ascii_json_dump(json);
}

Announcement parse_announcement(std::string_view text) {
  try {
    const Json json = parse_json<Json>(text, "the login node's announcement");
    Announcement announcement{.run = json.at("run"),
                              .node = json.at("node"),
                              .ports = {},
                              .page = json.at("page"),
                              .secure = json.at("secure")};
    for (const Json& port : json.at("ports"))
      announcement.ports.push_back({integer_of<int>(port.at(0)), integer_of<int>(port.at(1))});
    return announcement;
  } catch (const Json::exception&) {
    throw Error("the login node's rv uses another protocol", "this is a bug in rv: please report it");
  }
}

}  // namespace rv::cli
