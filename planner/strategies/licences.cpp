#include "planner/strategies/licences.h"

#include <algorithm>

#include "base/text.h"

namespace rv::planner {

namespace {

Licence licence_of(const std::string& text) {
  const std::size_t at = text.find_first_of(":*");
  Licence licence{text.substr(0, at), 1};
  if (at == std::string::npos) return licence;
  const std::string number = text.substr(at + 1);
  const bool whole =
      !number.empty() && number.size() <= 9 && number.find_first_not_of("0123456789") == std::string::npos;
  if (whole) licence.count = std::stoll(number);
  return licence;
}

}  // namespace

LicenceRequest parse_licences(const std::string& text) {
  LicenceRequest request;
  request.any_of = text.find('|') != std::string::npos;
  for (std::size_t from = 0; from <= text.size();) {
    const std::size_t end = std::min(text.find_first_of(",;|", from), text.size());
    Licence licence = licence_of(text.substr(from, end - from));
    from = end + 1;
    if (!licence.name.empty()) request.licences.push_back(std::move(licence));
  }
  return request;
}

std::string waits_for_licences(const Cluster& cluster, const Strategy& strategy) {
  const auto asked = strategy.sbatch.find("licenses");
  if (asked == strategy.sbatch.end() || !cluster.free_licenses) return {};
  const LicenceRequest request = parse_licences(asked->second);
  std::string cause;
  for (const Licence& licence : request.licences) {
    const auto free = cluster.free_licenses->find(licence.name);
    const bool enough = free == cluster.free_licenses->end() || free->second >= licence.count;
    if (enough && request.any_of) return {};
    if (enough || !cause.empty()) continue;
    cause = counted(licence.count, "licence") + " " + licence.name + (licence.count == 1 ? " is" : " are") +
            " asked for, " + std::to_string(free->second) + (free->second == 1 ? " is" : " are") + " free";
  }
  return cause;
}

}  // namespace rv::planner
