// The snapshot file. A field that has its type's initial value is not written, and an absent one is read as that value.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <concepts>
#include <limits>
#include <nlohmann/json.hpp>
#include <type_traits>

#include "base/did_you_mean.h"
#include "base/error.h"
#include "cli/json/values_json.h"
#include "shared/documents/json_dump.h"
#include "shared/documents/json_integer.h"

namespace rv::cli {

namespace {

using namespace planner;
using Json = nlohmann::json;
using OrderedJson = nlohmann::ordered_json;

template <typename T>
OrderedJson to_json(const T& value);

OrderedJson to_json(const Mebibytes& amount) {
  return amount.count;
}
OrderedJson to_json(const std::chrono::seconds& span) {
  return span.count();
}
OrderedJson to_json(const TimePoint& when) {
  return when.time_since_epoch().count();
}
OrderedJson to_json(const DatabaseName& name) {
  return name.text();
}
constexpr std::array<std::string_view, 3> budget_kinds{"used", "running", "per_job"};

OrderedJson to_json(const BudgetKind& kind) {
  return std::string(budget_kinds.at(static_cast<std::size_t>(kind)));
}
OrderedJson to_json(const NodeState& state) {
  return to_text({state.base, state.flags});
}

template <typename T>
OrderedJson to_json(const std::vector<T>& items) {
  OrderedJson array = OrderedJson::array();
  for (const T& item : items) array.push_back(to_json(item));
  return array;
}

template <typename T>
OrderedJson to_json(const std::map<std::string, T>& items) {
  OrderedJson object = OrderedJson::object();
  for (const auto& [name, value] : items) object[name] = value;
  return object;
}

template <typename T>
OrderedJson to_json(const std::map<DatabaseName, T>& items) {
  OrderedJson object = OrderedJson::object();
  for (const auto& [name, value] : items) object[name.text()] = value;
  return object;
}

template <typename T>
concept scalar = std::is_arithmetic_v<T> || std::same_as<T, std::string>;

/// Writes the fields that differ from those of a fresh T.
template <typename T>
OrderedJson object_of(const T& value) {
  OrderedJson object = OrderedJson::object();
  OrderedJson initial = OrderedJson::object();
  const auto write_to = [](OrderedJson& target) {
    return [&target]<typename F>(const char* name, const F& field) {
      if constexpr (requires { field.has_value(); }) {
        if (field.has_value()) target[name] = to_json(*field);
      } else {
        target[name] = to_json(field);
      }
    };
  };
  auto write = write_to(object);
  T::describe(value, write);
  const T fresh{};
  auto write_initial = write_to(initial);
  T::describe(fresh, write_initial);
  for (auto it = object.begin(); it != object.end();) {
    const auto same = initial.find(it.key());
    it = same != initial.end() && *same == it.value() ? object.erase(it) : std::next(it);
  }
  return object;
}

template <typename T>
OrderedJson to_json(const T& value) {
  if constexpr (scalar<T>) {
    return value;
  } else {
    return object_of(value);
  }
}

// ---- JSON → values

[[noreturn]] void refuse(const std::string& where, const std::string& what) {
  throw Error(fmt::format("{}: {}", where, what),
              "docs/cluster-file.md describes the file; rv cluster --save writes one", ExitCode::usage);
}

void read(const Json& json, GpuPool& value, const std::string& where);
void read(const Json& json, Node& value, const std::string& where);
void read(const Json& json, std::map<std::string, std::int64_t>& value, const std::string& where);

/// `where` is the path to the value, for the message: "nodes[3].gpus[0].total".
template <typename T>
void read(const Json& json, T& value, const std::string& where);

std::string text_at(const Json& json, const std::string& where) {
  if (!json.is_string()) refuse(where, "expected a string");
  return json.get<std::string>();
}

// The planner adds up and multiplies the numbers of a snapshot, of at most 65,536 nodes and some million jobs. Each
// number is bounded here, above all that Slurm can have, so that no sum or product overflows there.
constexpr std::int64_t most_count = std::int64_t{1} << 24;      // nodes, elements of an array, processors of a job
constexpr std::int64_t most_on_a_node = std::int64_t{1} << 14;  // processors, GPUs
constexpr std::int64_t most_amount = std::int64_t{1} << 40;     // MiB, TRES
constexpr std::int64_t most_seconds = std::int64_t{1} << 40;    // a span, or since 1970: 34,865 years
constexpr std::int64_t highest_priority = std::int64_t{1} << 53;

template <std::integral T>
T whole_number_at(const Json& json, const std::string& where, T least, T most) {
  if (!json.is_number_integer()) refuse(where, "expected a whole number");
  const auto number = integer_in<T>(json);
  if (!number || *number < least || *number > most) {
    refuse(where, fmt::format("expected a number from {} to {}", least, most));
  }
  return *number;
}

void read(const Json& json, std::string& value, const std::string& where) {
  value = text_at(json, where);
}

void read(const Json& json, DatabaseName& value, const std::string& where) {
  value = text_at(json, where);
}

void read(const Json& json, BudgetKind& value, const std::string& where) {
  const auto found = std::find(budget_kinds.begin(), budget_kinds.end(), text_at(json, where));
  if (found == budget_kinds.end()) refuse(where, "expected used, running or per_job");
  value = static_cast<BudgetKind>(found - budget_kinds.begin());
}

void read(const Json& json, bool& value, const std::string& where) {
  if (!json.is_boolean()) refuse(where, "expected true or false");
  value = json.get<bool>();
}

void read(const Json& json, int& value, const std::string& where) {
  value = whole_number_at<int>(json, where, 0, most_count);
}

void read(const Json& json, std::uint32_t& value, const std::string& where) {
  value = whole_number_at<std::uint32_t>(json, where, 0, std::numeric_limits<std::uint32_t>::max());
}

void read(const Json& json, std::int64_t& value, const std::string& where) {
  value = whole_number_at<std::int64_t>(json, where, -highest_priority, highest_priority);
}

void read(const Json& json, double& value, const std::string& where) {
  if (!json.is_number()) refuse(where, "expected a number");
  value = json.get<double>();
}

void read(const Json& json, Mebibytes& value, const std::string& where) {
  value.count = whole_number_at<std::int64_t>(json, where, 0, most_amount);
}

void read(const Json& json, std::chrono::seconds& value, const std::string& where) {
  value = std::chrono::seconds(whole_number_at<std::int64_t>(json, where, 0, most_seconds));
}

void read(const Json& json, TimePoint& value, const std::string& where) {
  value = TimePoint(std::chrono::seconds(whole_number_at<std::int64_t>(json, where, 0, most_seconds)));
}

void read(const Json& json, NodeState& value, const std::string& where) {
  const std::string words = text_at(json, where);
  std::size_t end = std::min(words.find('+'), words.size());
  value.base = words.substr(0, end);
  value.flags.clear();
  while (end < words.size()) {
    const std::size_t begin = end + 1;
    end = std::min(words.find('+', begin), words.size());
    value.flags.push_back(words.substr(begin, end - begin));
  }
}

/// A limit, which is compared and not added up: an administrator may have written any number.
void read(const Json& json, std::optional<int>& value, const std::string& where) {
  value.reset();
  if (!json.is_null()) value = whole_number_at<int>(json, where, 0, std::numeric_limits<int>::max());
}

template <typename T>
void read(const Json& json, std::optional<T>& value, const std::string& where) {
  value.reset();
  if (!json.is_null()) read(json, value.emplace(), where);
}

template <typename T>
void read(const Json& json, std::vector<T>& value, const std::string& where) {
  if (!json.is_array()) refuse(where, "expected a list");
  value.clear();
  value.reserve(json.size());
  for (const Json& item : json) {
    const std::size_t index = value.size();
    read(item, value.emplace_back(), fmt::format("{}[{}]", where, index));
  }
}

void read(const Json& json, std::map<std::string, std::int64_t>& value, const std::string& where) {
  if (!json.is_object()) refuse(where, "expected an object");
  value.clear();
  for (const auto& [name, item] : json.items()) {
    value[name] = whole_number_at<std::int64_t>(item, fmt::format("{}.{}", where, name), 0, most_amount);
  }
}

void read(const Json& json, Tres& value, const std::string& where) {
  if (!json.is_object()) refuse(where, "expected an object");
  value.clear();
  for (const auto& [name, item] : json.items()) {
    value[name] = whole_number_at<std::int64_t>(item, fmt::format("{}.{}", where, name), 0, most_amount);
  }
}

template <typename Name, typename T>
void read(const Json& json, std::map<Name, T>& value, const std::string& where) {
  if (!json.is_object()) refuse(where, "expected an object");
  value.clear();
  for (const auto& [name, item] : json.items()) read(item, value[name], fmt::format("{}.{}", where, name));
}

/// Every key must be known; `also` lists keys that are read elsewhere.
template <typename T>
void read_object(const Json& json, T& value, const std::string& where, std::vector<std::string> also) {
  if (!json.is_object()) refuse(where.empty() ? "the file" : where, "expected an object");
  std::size_t found = 0;
  std::vector<std::string> names = std::move(also);
  for (const std::string& name : names) found += json.count(name);
  const auto field = [&](const char* name, auto& target) {
    const auto it = json.find(name);
    names.emplace_back(name);
    if (it == json.end()) return;
    ++found;
    read(*it, target, where.empty() ? std::string(name) : fmt::format("{}.{}", where, name));
  };
  value = T{};
  T::describe(value, field);
  if (found == json.size()) return;
  for (const auto& [name, item] : json.items()) {
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    refuse(where.empty() ? name : fmt::format("{}.{}", where, name), "unknown key" + suggestion(name, names));
  }
}

template <typename T>
void read(const Json& json, T& value, const std::string& where) {
  read_object(json, value, where, {});
}

void check_on_a_node(std::int64_t count, const std::string& where) {
  if (count > most_on_a_node) refuse(where, fmt::format("expected a number from 0 to {}", most_on_a_node));
}

void read(const Json& json, GpuPool& value, const std::string& where) {
  read_object(json, value, where, {});
  check_on_a_node(value.total, where + ".total");
  check_on_a_node(value.used, where + ".used");
}

void read(const Json& json, Node& value, const std::string& where) {
  read_object(json, value, where, {});
  check_on_a_node(value.cpus, where + ".cpus");
  check_on_a_node(value.cpus_used, where + ".cpus_used");
}

}  // namespace

OrderedJson cluster_to_json(const Cluster& cluster) {
  OrderedJson document = OrderedJson::object();
  document["format"] = "rv-cluster";
  document["version"] = cluster_format_version;
  // The lists of the document itself are always there, so that a reader of --json need not ask.
  const auto write = [&document]<typename F>(const char* name, const F& field) {
    if constexpr (requires { field.has_value(); }) {
      if (field.has_value()) document[name] = to_json(*field);
    } else {
      document[name] = to_json(field);
    }
  };
  Cluster::describe(cluster, write);
  return document;
}

Cluster cluster_from_json(const Json& document) {
  if (!document.is_object() || document.value("format", Json()) != "rv-cluster") {
    refuse("format", "not a cluster file (\"format\": \"rv-cluster\" is missing)");
  }
  const Json version = document.value("version", Json());
  if (version != cluster_format_version) {
    throw Error(fmt::format("version: this is a cluster file of version {}, and this rv reads version {}",
                            version.is_null() ? "(none)" : json_dump(version), cluster_format_version),
                "write the file again with this rv: rv cluster --save FILE", ExitCode::usage);
  }
  for (const char* name : {"taken_at", "nodes", "partitions"}) {
    if (!document.contains(name)) refuse(name, "missing");
  }
  Cluster cluster;
  read_object(document, cluster, "", {"format", "version", "history"});
  return cluster;
}

std::vector<FinishedJob> history_from_json(const Json& document) {
  std::vector<FinishedJob> history;
  const auto found = document.find("history");
  if (found != document.end()) read(*found, history, "history");
  return history;
}

}  // namespace rv::cli
