// JSON as YAML, for people to read and for kubectl.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace rv::kubernetes {

/// One document, in block style. A string that YAML 1.1 or 1.2 could take for anything else is quoted; text of several
/// lines is a literal block where that keeps it byte for byte.
std::string yaml_text(const nlohmann::ordered_json& json);

/// The documents, with "---" between.
std::string yaml_documents(const std::vector<nlohmann::ordered_json>& documents);

}  // namespace rv::kubernetes
