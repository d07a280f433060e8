#include "workers/storage/fio.h"

#include <fmt/format.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "shared/documents/json_or_discard.h"
#include "workers/devices/other_program.h"

namespace rv::workers {
namespace {

/// Seconds in addition to the time of the job: to create the file, and to start and end.
constexpr double beside_s = 60;

}  // namespace

std::optional<FioJob> read_fio(const std::string& text, bool writes) {
  // Notes may precede the document.
  const auto begin = text.find('{');
  if (begin == std::string::npos) return std::nullopt;
  const auto document = parse_json_or_discard<nlohmann::json>(std::string_view(text).substr(begin));
  if (!document.is_object()) return std::nullopt;
  try {
    const auto& job = document.at("jobs").at(0);
    const auto& side = job.at(writes ? "write" : "read");
    const auto milliseconds = writes ? job.at("job_runtime").get<double>() : side.at("runtime").get<double>();
    const auto bytes = side.at("io_bytes").get<double>();
    if (!(milliseconds > 0) || !(bytes > 0)) return std::nullopt;
    return FioJob{bytes / milliseconds / 1e6, side.at("iops").get<double>()};
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

std::optional<FioFigures> measure_by_fio(const std::string& folder, std::uint64_t bytes, bool direct, double seconds,
                                         double random_seconds) {
  const auto fio = program_in_path("fio");
  if (fio.empty()) return std::nullopt;
  const auto file = folder + "/fio";
  const auto run = [&](bool writes, double at_most, const std::vector<std::string>& words) {
    // --thread: a single process, which ends with this one.
    std::vector<std::string> argv = {fio,
                                     "--name=x",
                                     "--filename=" + file,
                                     fmt::format("--size={}", bytes),
                                     "--output-format=json",
                                     "--ioengine=psync",
                                     fmt::format("--direct={}", direct ? 1 : 0),
                                     "--fallocate=none",
                                     "--randrepeat=0",
                                     "--group_reporting",
                                     "--thread",
                                     fmt::format("--runtime={}ms", static_cast<int>(at_most * 1000))};
    argv.insert(argv.end(), words.begin(), words.end());
    const auto text = output_of(argv, at_most + beside_s);
    return text ? read_fio(*text, writes) : std::nullopt;
  };
  FioFigures figures;
  if (const auto job = run(true, seconds, {"--rw=write", "--bs=4M", "--end_fsync=1"})) {
    figures.write = job->gigabytes_a_second;
    // Only a completely written file is read: otherwise fio would first create the rest.
    if (const auto read = run(false, seconds, {"--rw=read", "--bs=4M", "--invalidate=1"})) {
      figures.read = read->gigabytes_a_second;
    }
    if (const auto one = run(false, random_seconds, {"--rw=randread", "--bs=4k"})) {
      figures.random_read = one->operations_a_second;
    }
    if (const auto many = run(false, random_seconds, {"--rw=randread", "--bs=4k", "--numjobs=16"})) {
      figures.random_read16 = many->operations_a_second;
    }
  }
  ::unlink(file.c_str());
  return figures;
}

}  // namespace rv::workers
