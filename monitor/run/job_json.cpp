#include "monitor/run/job_json.h"

#include <chrono>
#include <concepts>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "shared/documents/json_integer.h"

namespace rv::monitor {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;
using std::chrono::seconds;

struct AnyField {
  void operator()(const char* /*name*/, const auto& /*field*/) {}
};

template <class T>
concept described = requires(const T& value, AnyField& field) {
  T::describe(value, field);
};

class FieldWriter {
 public:
  explicit FieldWriter(ordered_json& object) : object_(object) {}

  template <class T>
  void operator()(const char* name, const std::optional<T>& field) {
    if (field) (*this)(name, *field);
  }
  void operator()(const char* name, const seconds& span) { object_[name] = span.count(); }
  void operator()(const char* name, const described auto& part) {
    FieldWriter fields(object_[name] = ordered_json::object());
    std::remove_cvref_t<decltype(part)>::describe(part, fields);
  }
  void operator()(const char* name, const auto& value) { object_[name] = value; }

 private:
  ordered_json& object_;
};

class FieldReader {
 public:
  explicit FieldReader(const json& object) : object_(object) {}

  void operator()(const char* name, auto& field) const {
    const auto found = object_.find(name);
    if (found != object_.end()) read(*found, field);
  }

 private:
  template <class T>
  static void read(const json& value, std::optional<T>& field) {
    read(value, field.emplace());
  }
  static void read(const json& value, described auto& part) {
    if (!value.is_object()) throw json::type_error::create(302, "not an object", &value);
    FieldReader fields(value);
    std::remove_cvref_t<decltype(part)>::describe(part, fields);
  }
  static void read(const json& value, seconds& span) { span = seconds(integer_of<std::int64_t>(value)); }
  static void read(const json& value, std::vector<int>& list) { list = integers_of<int>(value); }
  static void read(const json& value, int& number) { number = integer_of<int>(value); }
  static void read(const json& value, bool& set) { set = value.get<bool>(); }
  static void read(const json& value, std::string& text) { text = value.get<std::string>(); }
  static void read(const json& value, std::vector<std::string>& list) { list = value.get<std::vector<std::string>>(); }

  const json& object_;
};

}  // namespace

void write_job(ordered_json& record, const templates::JobSpec& job) {
  FieldWriter fields(record);
  templates::JobSpec::describe(job, fields);
}

templates::JobSpec read_job(const json& record) {
  templates::JobSpec job;
  FieldReader fields(record);
  templates::JobSpec::describe(job, fields);
  return job;
}

}  // namespace rv::monitor
