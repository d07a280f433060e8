#include "cli/mcp/budget.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/text.h"
#include "shared/documents/json_integer.h"

namespace rv::mcp {
namespace {

constexpr const char* format_name = "rv-mcp-budget";
constexpr int format_version = 1;
/// The file must not grow without end: agents can't stop older runs, or use older tokens.
constexpr std::size_t most_runs = 2000;
constexpr std::size_t most_confirmations = 100;

constexpr const char* set_another = "ask the user to set a budget in a terminal: rv mcp allow HOURS";

Error refused(const std::string& message, const std::string& advice) {
  return {message, advice, ExitCode::usage};
}

/// Not negative, and small enough to add and subtract: rv mcp allow accepts at most a million hours.
std::int64_t gpu_seconds_at(const Json& object, const char* key) {
  return integer_at<std::uint32_t>(object, key);
}

}  // namespace

std::string in_hours(std::int64_t gpu_seconds) {
  auto number = fmt::format("{:.2f}", static_cast<double>(gpu_seconds) / 3600.0);
  number.erase(number.find_last_not_of('0') + 1);
  if (number.ends_with('.')) number.pop_back();
  return fmt::format("{} GPU hour{}", number, number == "1" ? "" : "s");
}

void grant(Budget& budget, std::int64_t gpu_seconds) {
  budget.granted = gpu_seconds;
  budget.reserved = 0;
  budget.confirmations.clear();
}

void require_hours(const Budget& budget, std::int64_t gpu_seconds) {
  if (budget.granted == 0) throw refused("no budget is set: agents can't start runs", set_another);
  if (gpu_seconds <= budget.left()) return;
  throw refused(fmt::format("this needs {}, and the budget has {} of {} left", in_hours(gpu_seconds),
                            in_hours(budget.left()), in_hours(budget.granted)),
                std::string("use fewer GPUs or a shorter time, or ") + set_another);
}

void require_own_run(const Budget& budget, const std::string& id) {
  if (contains(budget.runs, id)) return;
  throw refused(
      fmt::format("no agent started a run with the ID \"{}\", and agents can stop only runs that they started", id),
      "use the ID that run or up returned, or ask the user to stop the run: rv stop RUN");
}

void add_confirmation(Budget& budget, const Confirmation& confirmation, Time now) {
  std::erase_if(budget.confirmations, [&](const auto& waiting) { return waiting.expires <= now; });
  budget.confirmations.push_back(confirmation);
  if (budget.confirmations.size() > most_confirmations) budget.confirmations.erase(budget.confirmations.begin());
}

std::int64_t use_token(Budget& budget, const std::string& token_hash, const std::string& call_hash, Time now) {
  constexpr const char* again = "call the tool again without a token: it returns a new one";
  const auto found = std::find_if(budget.confirmations.begin(), budget.confirmations.end(),
                                  [&](const auto& waiting) { return waiting.token_hash == token_hash; });
  if (found == budget.confirmations.end() || now >= found->expires) {
    throw refused(
        fmt::format("this token is unknown, was used already, or is older than {} minutes", token_lifetime.count()),
        again);
  }
  if (found->call_hash != call_hash)
    throw refused("this token belongs to a call with other arguments, or in another folder", again);
  const auto gpu_seconds = found->gpu_seconds;
  if (gpu_seconds > 0) require_hours(budget, gpu_seconds);
  budget.reserved += gpu_seconds;
  budget.confirmations.erase(found);
  return gpu_seconds;
}

void record_run(Budget& budget, const std::string& id) {
  budget.runs.push_back(id);
  if (budget.runs.size() > most_runs) budget.runs.erase(budget.runs.begin());
}

void release_hours(Budget& budget, std::int64_t gpu_seconds) {
  budget.reserved = std::max<std::int64_t>(0, budget.reserved - gpu_seconds);
}

Json to_json(const Budget& budget) {
  Json confirmations = Json::array();
  for (const auto& waiting : budget.confirmations) {
    confirmations.push_back({{"token_sha256", waiting.token_hash},
                             {"call_sha256", waiting.call_hash},
                             {"gpu_seconds", waiting.gpu_seconds},
                             {"expires", waiting.expires.time_since_epoch().count()}});
  }
  return {{"format", format_name},
          {"version", format_version},
          {"granted_gpu_seconds", budget.granted},
          {"reserved_gpu_seconds", budget.reserved},
          {"confirmations", confirmations},
          {"runs", budget.runs}};
}

Budget budget_from(const Json& document) {
  if (document.at("format") != format_name || document.at("version") != format_version) {
    throw Json::other_error::create(501, "not a budget of this version", &document);
  }
  Budget budget{.granted = gpu_seconds_at(document, "granted_gpu_seconds"),
                .reserved = gpu_seconds_at(document, "reserved_gpu_seconds"),
                .confirmations = {},
                .runs = document.at("runs").get<std::vector<std::string>>()};
  for (const auto& waiting : document.at("confirmations")) {
    budget.confirmations.push_back(
        {.token_hash = waiting.at("token_sha256").get<std::string>(),
         .call_hash = waiting.at("call_sha256").get<std::string>(),
         .gpu_seconds = gpu_seconds_at(waiting, "gpu_seconds"),
         .expires = Time(std::chrono::seconds(integer_at<std::int64_t>(waiting, "expires")))});
  }
  return budget;
}

}  // namespace rv::mcp
