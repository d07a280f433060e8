// Reports as they arrive from a host: a gzipped ustar archive, read as untrusted input.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/border/report_name.h"

namespace rv::remote {

struct ArchiveLimits {
  std::size_t file_bytes = 64U << 20U;
  std::size_t total_bytes = 256U << 20U;  // after decompression, headers included
  std::size_t entries = 20'000;           // files and folders
};

struct Report {
  ReportName name;
  std::string content;
};

/// Returns the files of the archive. Throws RefusedInput for a damaged archive, an
/// entry that is neither a regular file nor a folder, a name that `kind` does not have, a name that occurs twice, and
/// for anything above the limits: decompression stops there.
std::vector<Report> read_report_archive(std::string_view archive, ReportKind kind, const ArchiveLimits& limits = {});

}  // namespace rv::remote
