// What scripts must leave out to run on every bash from 4.2 (RHEL 7) on.
#pragma once

#include <string>
#include <string_view>

/// A line "<line number>: <why>: <the line>" for each place that an older bash would trip over; empty when there is
/// none. Comments don't count. Goes by single lines: it finds constructs, it does not parse.
std::string too_new_for_old_bash(std::string_view script);
