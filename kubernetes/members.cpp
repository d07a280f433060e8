#include "kubernetes/members.h"

namespace rv::kubernetes {

const Json& at(const Json& json, const char* key) {
  static const Json nothing;
  if (!json.is_object()) return nothing;
  const auto found = json.find(key);
  return found == json.end() ? nothing : *found;
}

std::string text(const Json& json, const char* key) {
  const auto& value = at(json, key);
  return value.is_string() ? value.get<std::string>() : std::string();
}

}  // namespace rv::kubernetes
