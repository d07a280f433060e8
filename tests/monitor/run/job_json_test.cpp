#include "monitor/run/job_json.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/documents/parse_document.h"
#include "base/error.h"
#include "base/os/atomic_file.h"
#include "monitor/run/run_folder.h"
#include "tests/base/temporary_folder.h"
#include "tests/source_tree.h"

namespace rv::monitor {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;
using templates::JobSpec;

/// Gives every field its own value that is not its initial one.
class Filling {
 public:
  void operator()(const char* name, auto& field) {
    names_.insert(name);
    fill(field);
  }
  const std::set<std::string>& names() const { return names_; }

 private:
  void fill(bool& field) { field = !field; }
  void fill(int& field) { field = ++number_; }
  void fill(std::chrono::seconds& field) { field = std::chrono::seconds(++number_); }
  void fill(std::string& field) { field = "text " + std::to_string(++number_) + "\n\"é"; }
  void fill(std::vector<int>& field) { field = {0, ++number_}; }
  void fill(std::vector<std::string>& field) { field = {"", std::to_string(++number_)}; }
  template <class T>
  void fill(std::optional<T>& field) {
    fill(field.emplace());
  }
  template <class T>
  void fill(T& part) {
    Filling fields;
    fields.number_ = number_;
    T::describe(part, fields);
    number_ = fields.number_;
  }

  int number_ = 100;
  std::set<std::string> names_;
};

ordered_json written(const JobSpec& job) {
  ordered_json record;
  write_job(record, job);
  return record;
}

json old_record(const std::string& name) {
  const std::string path = in_tree("tests/data/run_records/" + name + ".json");
  return parse_json<json>(os::read_file(path).value(), path);
}

/// Every value of `part` is in `whole`.
bool holds_all(const json& whole, const json& part) {
  if (!part.is_object()) return whole == part;
  return std::all_of(part.items().begin(), part.items().end(), [&](const auto& item) {
    return whole.contains(item.key()) && holds_all(whole[item.key()], item.value());
  });
}

}  // namespace

TEST_CASE("every field of a job is in the record and is read back") {
  JobSpec job;
  Filling filling;
  JobSpec::describe(job, filling);
  const auto record = written(job);
  std::set<std::string> keys;
  for (const auto& item : record.items()) keys.insert(item.key());
  CHECK(keys == filling.names());
  CHECK(written(read_job(json::parse(record.dump()))) == record);
  CHECK(record["chain"]["signal"] == job.chain->signal);
  CHECK(record["array"]["elements"] == job.array->elements);
  CHECK(record["idle_stop_s"] == job.idle_stop->count());
}

TEST_CASE("what is not set has no key") {
  const auto record = written({});
  for (const char* key : {"chain", "array", "after", "environment", "idle_stop_s"}) CHECK(!record.contains(key));
  CHECK(!read_job(json::parse(record.dump())).chain);
}

TEST_CASE("records of the rv before are read, and hold what that rv reads once they are written again") {
  const auto command = read_job(old_record("command"));
  CHECK(command.typed == std::vector<std::string>{"python3", "t.py", "a b"});
  CHECK(command.argv.size() == 3);
  CHECK(command.requeue);
  CHECK(!command.hold);
  CHECK(!command.array);
  const auto hold = read_job(old_record("hold"));
  CHECK(hold.hold);
  CHECK(hold.argv.empty());
  CHECK(!hold.idle_stop);
  const auto array = read_job(old_record("array"));
  CHECK(array.array.value().elements == std::vector<int>{0, 2, 4, 6});
  CHECK(array.array->at_once == 2);
  CHECK(array.array->text.empty());
  const auto chain = read_job(old_record("chain"));
  CHECK(chain.chain.value().total == std::chrono::hours(5));
  CHECK(chain.chain->shortest == std::chrono::minutes(30));
  CHECK(!chain.chain->warning);
  const auto after = read_job(old_record("after"));
  CHECK(after.after.value().run.size() == 6);
  CHECK(!after.after->only_ok);
  for (const char* name : {"command", "hold", "array", "chain", "after"}) {
    CAPTURE(name);
    const auto before = old_record(name);
    const auto again = json::parse(written(read_job(before)).dump());
    for (const char* key : {"hold", "command", "runs", "requeue", "chain", "array", "after", "environment"}) {
      CAPTURE(key);
      CHECK(before.contains(key) == again.contains(key));
      if (before.contains(key)) CHECK(holds_all(again[key], before[key]));
    }
  }
}

TEST_CASE("of a record without the executed command the record says whether the GPUs are held") {
  for (const bool hold : {false, true}) {
    auto record = old_record(hold ? "hold" : "command");
    record.erase("runs");
    const auto job = read_job(record);
    CHECK(job.hold == hold);
    CHECK(job.argv.empty());
  }
}

TEST_CASE("a record with another type, or a number out of range, is damaged") {
  const TemporaryFolder home;
  const auto folder = RunFolder::create(home.path());
  const auto read = [&](const json& record) {
    os::write_file(folder.file("run.json"), record.dump());
    return folder.record();
  };
  CHECK(read(old_record("array")).job.array.has_value());
  CHECK(read(old_record("array")).candidates.size() == 1);
  for (const char* patch :
       {R"({"hold":null})", R"({"runs":"true"})", R"({"array":{"elements":[1e300]}})", R"({"array":{"at_once":1.5}})",
        R"({"chain":7})", R"({"chain":{"total_s":99999999999999999999}})", R"({"processes_per_node":4294967297})"}) {
    CAPTURE(patch);
    auto record = old_record("array");
    record.update(json::parse(patch), /*merge_objects=*/true);
    CHECK_THROWS_AS(read(record), Error);
  }
  for (const char* key : {"hold", "command"}) {
    auto record = old_record("command");
    record.erase(key);
    CHECK_THROWS_AS(read(record), Error);
  }
}

}  // namespace rv::monitor
