// Times as text, in UTC or as this machine's clock shows them.
#pragma once

#include <chrono>
#include <string>

namespace rv {

/// "2026-11-27 12:00:00 UTC".
std::string utc_time(std::chrono::sys_seconds time);

/// "2026-11-27".
std::string utc_date(std::chrono::sys_seconds time);

/// "20261127-120000", for names that sort by time.
std::string utc_stamp(std::chrono::sys_seconds time);

/// "2026-11-27 13:00:00", in the time zone of this machine. `between`: the date and the time.
std::string local_time(std::chrono::sys_seconds time, char between = ' ');

/// The clock's time, in whole seconds.
std::chrono::sys_seconds current_time();

}  // namespace rv
