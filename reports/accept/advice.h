// What an operator does about a finding.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "reports/accept/evidence.h"

namespace rv::accept {

/// The parameter `cause` of a figure that a worker had no library for (workers/devices/cause.h).
inline constexpr std::string_view missing_library = "missing_library";

/// For a figure that failed, by its suite and name.
std::string advice_for(const Figure& figure);

/// Position of an advice from causes (0) to their consequences; an unknown advice comes last.
std::size_t cause_order(std::string_view advice);

/// Whether what this advice is about slows down all work of a GPU: another process on it, throttling, a bad link.
bool slows_a_gpu(std::string_view advice);

/// Whether it is about the speed of work that several GPUs do together: one slow GPU makes it slow.
bool is_joint_work(std::string_view advice);

}  // namespace rv::accept
