#include "slurm/parse/field.h"
#include "slurm/parse/hostlist.h"
#include "slurm/parse/key_value.h"
#include "slurm/parse/parse_cluster.h"

namespace rv::slurm {

std::vector<planner::Reservation> parse_reservations(std::string_view text) {
  std::vector<planner::Reservation> reservations;
  while (!text.empty()) {
    const KeyValues values(next_record(text, "ReservationName="));
    const auto start = parse_time(values["StartTime"]);
    const auto end = parse_time(values["EndTime"]);
    if (!start || !end) continue;
    reservations.push_back({.name = std::string(values["ReservationName"]),
                            .start = *start,
                            .end = *end,
                            .nodes = expand_hostlist(values["Nodes"]),
                            .flags = list_of(values["Flags"]),
                            .users = names_of(values["Users"]),
                            .accounts = names_of(values["Accounts"]),
                            .qos = names_of(values["QOS"]),
                            .partitions = list_of(values["AllowedPartitions"])});
  }
  return reservations;
}

}  // namespace rv::slurm
