#include "cli/account/account_text.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <vector>

#include "base/table.h"
#include "base/text.h"

namespace rv::cli {
namespace {

using nlohmann::ordered_json;

struct Sums {
  int gpus = 0, jobs = 0, waiting_gpus = 0, waiting_jobs = 0;
  double gpu_hours = 0;
};

Sums sums_of(const AccountUse& use) {
  Sums sums;
  for (const auto& user : use.users) {
    sums.gpus += user.now.held;
    sums.jobs += user.now.running_jobs;
    sums.waiting_gpus += user.now.asked;
    sums.waiting_jobs += user.now.waiting_jobs;
    if (user.used) sums.gpu_hours += user.used->gpu_seconds / 3600;
  }
  return sums;
}

std::string types_text(const UserGpus& user) {
  std::vector<std::string> words;
  for (const auto& [type, gpus] : user.held_type) words.push_back(fmt::format("{}× {}", gpus, type));
  return listed(words);
}

std::string table_text(const AccountUse& use, const os::Terminal& terminal) {
  Table table;
  table.column("user");
  for (const char* title : {"GPUs", "jobs", "waiting GPUs", "waiting jobs", "GPU hours, 7d"}) {
    table.column(title, Table::Align::right);
  }
  table.column("holds");
  for (const auto& user : use.users) {
    table.row({one_line(user.now.user.text()), std::to_string(user.now.held), std::to_string(user.now.running_jobs),
               std::to_string(user.now.asked), std::to_string(user.now.waiting_jobs),
               user.used ? fmt::format("{:.1f}", user.used->gpu_seconds / 3600) : "?", types_text(user.now)});
  }
  return table.text(terminal.table_width(), terminal.colour);
}

std::string used_line(const AccountUse& use, const Sums& sums) {
  if (!use.trouble.empty()) return "unknown: " + one_line(use.trouble);
  return fmt::format("{:.1f} GPU hours in the last 7 days{}", sums.gpu_hours,
                     use.used_by_others ? "" : ", as far as accounting shows them: it has no other user's jobs");
}

}  // namespace

std::string account_text(const AccountUse& use, const os::Terminal& terminal) {
  const auto sums = sums_of(use);
  std::string out;
  const auto line = [&](const char* word, const std::string& text) { out += fmt::format("{:<8} {}\n", word, text); };
  line("account",
       one_line(use.account) +
           (use.accounts.size() > 1
                ? fmt::format(" and {} below it", counted(static_cast<long long>(use.accounts.size()) - 1, "account"))
                : ""));
  line("holds", fmt::format("{} in {}", counted(sums.gpus, "GPU"), counted(sums.jobs, "job")));
  line("waits", fmt::format("for {} in {}", counted(sums.waiting_gpus, "GPU"), counted(sums.waiting_jobs, "job")));
  line("used", used_line(use, sums));
  if (use.fair_share) {
    line("share", fmt::format("{:.0f}% of its parent's; {:.0f}% of the parent's recent usage",
                              use.fair_share->share * 100, use.fair_share->used * 100));
  }
  for (const auto& budget : use.budgets) line("left", budget);
  if (use.balance) {
    line("balance",
         use.balance->su ? fmt::format("{:.0f} SU", *use.balance->su) : "unknown: " + one_line(use.balance->trouble));
  }
  if (!use.queue_known) line("hidden", "the site hides other users' jobs (PrivateData): this counts what it shows");
  if (!use.users.empty()) out += "\n" + table_text(use, terminal);
  return out;
}

ordered_json account_json(const AccountUse& use) {
  const auto sums = sums_of(use);
  ordered_json json = {{"account", use.account},
                       {"accounts", use.accounts},
                       {"gpus", sums.gpus},
                       {"jobs", sums.jobs},
                       {"waiting_gpus", sums.waiting_gpus},
                       {"waiting_jobs", sums.waiting_jobs},
                       {"gpu_hours_7d", use.trouble.empty() ? ordered_json(sums.gpu_hours) : ordered_json()},
                       {"shows_others", {{"queue", use.queue_known}, {"accounting", use.used_by_others}}}};
  json["users"] = ordered_json::array();
  for (const auto& user : use.users) {
    ordered_json types = ordered_json::object();
    for (const auto& [type, gpus] : user.now.held_type) types[type] = gpus;
    json["users"].push_back({{"user", user.now.user.text()},
                             {"gpus", user.now.held},
                             {"jobs", user.now.running_jobs},
                             {"waiting_gpus", user.now.asked},
                             {"waiting_jobs", user.now.waiting_jobs},
                             {"gpu_hours_7d", user.used ? ordered_json(user.used->gpu_seconds / 3600) : ordered_json()},
                             {"types", types}});
  }
  json["share"] = use.fair_share ? ordered_json{{"of_parent", use.fair_share->share}, {"used", use.fair_share->used}}
                                 : ordered_json();
  json["left"] = use.budgets;
  if (use.balance) json["balance"] = balance_to_json(*use.balance);
  json["trouble"] = use.trouble;
  return json;
}

}  // namespace rv::cli
