#include "cli/kubernetes/clean_up.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/text.h"
#include "cli/json/values_json.h"
#include "cli/kubernetes/kubectl.h"
#include "cli/kubernetes/pods/job_order.h"
#include "cli/kubernetes/pods/leftovers.h"
#include "cli/kubernetes/pods/names.h"
#include "shared/time_text.h"

namespace rv::cli {
namespace {

using kubernetes::Leftover;

constexpr std::chrono::hours usual_age(24);

/// A cluster without an operator has no such kind, and so nothing of it.
bool is_unknown_kind(const std::string& error) {
  return error.find("the server doesn't have a resource type") != std::string::npos ||
         error.find("the server could not find the requested resource") != std::string::npos;
}

std::vector<Leftover> leftovers_there(const std::string& space) {
  std::vector<std::vector<std::string>> questions;
  for (const auto& kind : kubernetes::kinds_made()) {
    questions.push_back(in_namespace(space));
    questions.back().insert(questions.back().begin(), {"get", kind});
    questions.back().insert(questions.back().end(), {"-l", kubernetes::label_selector(), "-o", "json"});
  }
  const auto answers = kubectl_each(questions);
  std::vector<Leftover> all;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const auto& kind = kubernetes::kinds_made()[i];
    const auto& answer = answers[i];
    if (!answer.ok && is_unknown_kind(answer.err)) continue;
    if (!answer.ok) {
      throw Error(fmt::format("the {}s can't be read: kubectl: {}", kind, trouble_of(answer)),
                  "nothing was removed: a job that can't be seen may still need the rest");
    }
    for (auto& one : kubernetes::leftovers_in(kind, answer.out)) all.push_back(std::move(one));
  }
  return all;
}

/// By its labels as well as by its name: what has lost a label since stays. Kubectl takes no name beside a selector, so
/// that the name is a field's.
std::vector<std::string> removal_of(const Leftover& one) {
  auto words = in_namespace(one.space);
  words.insert(words.begin(), {"delete", one.kind});
  words.insert(words.end(), {"-l", kubernetes::label_selector(one.acceptance), "--field-selector",
                             "metadata.name=" + one.name, "--wait=false", "--ignore-not-found"});
  return words;
}

void remove(const std::vector<Leftover>& all) {
  constexpr std::size_t at_once = 8;
  std::vector<std::vector<std::string>> removals;
  const auto run = [&] {
    for (const auto& answer : kubectl_each(removals)) {
      if (!answer.ok) {
        throw Error("some objects could not be removed: kubectl: " + trouble_of(answer),
                    "repeat the command; it has the rights of kubectl's context");
      }
    }
    removals.clear();
  };
  for (const auto& one : all) {
    if (one.remove) removals.push_back(removal_of(one));
    if (removals.size() == at_once) run();
  }
  run();
}

nlohmann::ordered_json json_of(const std::vector<Leftover>& all, bool dry_run) {
  nlohmann::ordered_json json = {
      {"dry_run", dry_run}, {"removed", nlohmann::ordered_json::array()}, {"kept", nlohmann::ordered_json::array()}};
  for (const auto& one : all) {
    json[one.remove ? "removed" : "kept"].push_back(
        {{"kind", one.kind}, {"namespace", one.space}, {"name", one.name}, {"why", one.why}});
  }
  return json;
}

}  // namespace

int clean_up(const AcceptOptions& options, const Invocation& invocation) {
  const auto& asked = *options.kubernetes;
  if (!asked.space.empty()) kubernetes::check_namespace("--namespace", asked.space);
  auto all = leftovers_there(asked.space);
  const auto now = current_time();
  kubernetes::choose(all, now, asked.older_than.value_or(usual_age));
  int going = 0;
  for (const auto& one : all) {
    if (!one.remove) continue;
    ++going;
    if (!invocation.json) fmt::print("{}/{}  {}  {}\n", one.kind, one.name, one.space, one.why);
  }
  std::fflush(stdout);  // the names come before anything goes
  if (!options.dry_run) remove(all);
  if (invocation.json) fmt::print("{}", json_text(json_of(all, options.dry_run)));
  fmt::print(stderr, "rv: {} {} of {}\n", options.dry_run ? "would remove" : "removed", going,
             counted(static_cast<long long>(all.size()), "object"));
  return 0;
}

}  // namespace rv::cli
