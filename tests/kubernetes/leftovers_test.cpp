#include "cli/kubernetes/pods/leftovers.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "base/error.h"

using namespace rv;
using namespace rv::kubernetes;
using Json = nlohmann::ordered_json;
using namespace std::chrono_literals;

namespace {

const auto now = *kubernetes_time("2026-11-21T12:00:00Z");

Json object(const std::string& name, const std::string& made) {
  return {{"metadata",
           {{"name", name},
            {"namespace", "ml"},
            {"creationTimestamp", made},
            {"labels",
             {{"app.kubernetes.io/name", "rv-accept"},
              {"app.kubernetes.io/managed-by", "rv"},
              {"app.kubernetes.io/instance", name}}}}}};
}

Json job(const std::string& name, const std::string& condition, const std::string& when) {
  auto json = object(name, "2026-11-01T00:00:00Z");
  json["status"]["conditions"] = Json::array({{{"type", condition}, {"status", "True"}, {"lastTransitionTime", when}}});
  return json;
}

std::vector<Leftover> in(const std::string& kind, const std::vector<Json>& items) {
  return leftovers_in(kind, Json{{"items", items}}.dump());
}

}  // namespace

TEST_CASE("a job that ended long enough ago is removed, with any operator") {
  for (const auto* word : {"Complete", "Completed", "Failed", "Succeeded"}) {
    CAPTURE(word);
    auto jobs = in("job", {job("a", word, "2026-11-20T11:00:00Z"), job("b", word, "2026-11-20T13:00:00Z")});
    choose(jobs, now, 24h);
    CHECK(jobs[0].remove);
    CHECK_FALSE(jobs[1].remove);
  }
}

TEST_CASE("a job that may not be over is kept with its objects") {
  auto all = in("job", {job("a", "Suspended", "2026-11-01T00:00:00Z"), job("b", "Complete", "some time")});
  for (auto& one : in("secret", {object("a", "2026-11-01T00:00:00Z"), object("c", "2026-11-01T00:00:00Z"),
                                 object("d", "2026-11-21T11:00:00Z")})) {
    all.push_back(one);
  }
  choose(all, now, 24h);
  CHECK_FALSE(all[0].remove);
  CHECK_FALSE(all[1].remove);
  CHECK_FALSE(all[2].remove);  // a's
  CHECK(all[3].remove);        // nobody's
  CHECK_FALSE(all[4].remove);  // nobody's yet: its job may be on its way
}

TEST_CASE("a job's objects are removed with it") {
  auto all = in("job", {job("a", "Complete", "2026-11-02T00:00:00Z")});
  all.push_back(in("secret", {object("a", "2026-11-01T00:00:00Z")})[0]);
  choose(all, now, 24h);
  CHECK(all[0].remove);
  CHECK(all[1].remove);
}

TEST_CASE("the same name in another namespace is another acceptance's") {
  auto all = in("job", {job("a", "Running", "")});
  auto secret = object("a", "2026-11-01T00:00:00Z");
  secret["metadata"]["namespace"] = "other";
  all.push_back(in("secret", {secret})[0]);
  choose(all, now, 24h);
  CHECK(all[1].remove);
}

TEST_CASE("an object without all of rv's labels is ignored") {
  for (const auto* label : {"app.kubernetes.io/name", "app.kubernetes.io/managed-by", "app.kubernetes.io/instance"}) {
    auto other = job("a", "Complete", "2026-01-01T00:00:00Z");
    other["metadata"]["labels"].erase(label);
    CHECK(in("job", {other}).empty());
    other["metadata"]["labels"][label] = "helm,x=y";
    CHECK(in("job", {other}).empty());
  }
  auto owned = job("a", "Complete", "2026-01-01T00:00:00Z");
  owned["metadata"]["ownerReferences"] = Json::array({{{"kind", "JobSet"}}});
  CHECK(in("job", {owned}).empty());
  CHECK_THROWS_AS(leftovers_in("job", "error"), Error);
}

TEST_CASE("times") {
  CHECK(kubernetes_time("1970-01-02T00:00:01Z")->time_since_epoch() == 86401s);
  CHECK(kubernetes_time("2026-11-21T12:00:00.123456Z") == now);
  for (const auto* text :
       {"", "2026-11-21", "2026-13-21T12:00:00Z", "2026-11-21T25:00:00Z", "2026-11-21T12:00:00", "Z"}) {
    CHECK_FALSE(kubernetes_time(text));
  }
}
