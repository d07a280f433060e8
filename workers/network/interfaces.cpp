#include "workers/network/interfaces.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>

#include <algorithm>
#include <array>
#include <fstream>

#include "shared/documents/json_integer.h"

namespace rv::workers {
namespace {

std::optional<int> speed_of(const std::string& name) {
  std::ifstream file("/sys/class/net/" + name + "/speed");
  int megabits = 0;
  // A driver without this information returns -1, or the read fails.
  if (!(file >> megabits) || megabits <= 0) return std::nullopt;
  return megabits;
}

bool has_address(const Reach& reach, const std::string& address) {
  return std::any_of(reach.interfaces.begin(), reach.interfaces.end(),
                     [&](const Interface& one) { return one.address == address; });
}

}  // namespace

std::vector<Interface> own_interfaces() {
  std::vector<Interface> all;
  ifaddrs* list = nullptr;
  if (getifaddrs(&list) != 0) return all;
  for (const auto* i = list; i != nullptr; i = i->ifa_next) {
    const bool usable = (i->ifa_flags & IFF_UP) != 0 && (i->ifa_flags & IFF_LOOPBACK) == 0;
    if (i->ifa_addr == nullptr || i->ifa_addr->sa_family != AF_INET || !usable) continue;
    std::array<char, INET_ADDRSTRLEN> text{};
    const auto* const address = &reinterpret_cast<const sockaddr_in*>(i->ifa_addr)->sin_addr;
    if (inet_ntop(AF_INET, address, text.data(), text.size()) == nullptr) continue;
    all.push_back({i->ifa_name, text.data(), speed_of(i->ifa_name)});
  }
  freeifaddrs(list);
  return all;
}

Json to_json(const Reach& reach) {
  Json json = {{"host", reach.host}, {"machine", reach.machine}, {"port", reach.port}, {"interfaces", Json::array()}};
  for (const auto& one : reach.interfaces) {
    json["interfaces"].push_back(
        {{"name", one.name}, {"address", one.address}, {"megabits", one.megabits ? Json(*one.megabits) : Json()}});
  }
  return json;
}

Reach reach_from_json(const Json& json) {
  Reach reach{
      json.at("host").get<std::string>(), json.at("machine").get<std::string>(), integer_at<int>(json, "port"), {}};
  for (const auto& one : json.at("interfaces")) {
    Interface interface { one.at("name").get<std::string>(), one.at("address").get<std::string>(), std::nullopt };
    interface.megabits = integer_in<int>(one.at("megabits"));
    reach.interfaces.push_back(std::move(interface));
  }
  return reach;
}

std::string address_by(const Reach& from, const Reach& to, const std::string& interface) {
  const bool one_machine = from.machine == to.machine;
  if (interface == "lo") return one_machine ? "127.0.0.1" : "";
  const auto named = [&](const Reach& reach) {
    return std::find_if(reach.interfaces.begin(), reach.interfaces.end(),
                        [&](const Interface& one) { return one.name == interface; });
  };
  const auto there = named(to);
  if (there == to.interfaces.end() || named(from) == from.interfaces.end()) return "";
  if (!one_machine && has_address(from, there->address)) return "";
  return there->address;
}

std::vector<std::string> common_names(const std::vector<Reach>& all) {
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  for (const auto& from : all) {
    for (const auto& to : all) {
      if (&from == &to) continue;
      for (const auto& one : to.interfaces) {
        if (!address_by(from, to, one.name).empty()) add(one.name);
      }
    }
  }
  const bool one_machine =
      std::all_of(all.begin(), all.end(), [&](const Reach& one) { return one.machine == all.front().machine; });
  if (names.empty() && one_machine) names.emplace_back("lo");
  return names;
}

}  // namespace rv::workers
