#include "cli/sweep/drive/report_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/documents/parse_document.h"
#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/os/file_lock.h"
#include "base/os/listing.h"
#include "base/os/user_name.h"
#include "base/quote.h"
#include "base/text.h"
#include "reports/sweep/combined_csv.h"
#include "reports/sweep/page.h"
#include "shared/documents/json_dump.h"
#include "shared/documents/json_integer.h"

namespace rv::sweep {
namespace {

constexpr auto order_file = "sweep.json";
constexpr auto attempt_file = "attempt.json";
constexpr auto result_file = "result.json";
constexpr mode_t readable = 0644;

using Json = nlohmann::ordered_json;

std::string text_of(const Json& document) {
  return json_dump(document, 2) + "\n";
}

/// Whether a point that a file of this folder describes is the folder's own. On a host of --hosts that host wrote it.
bool names_folder(const Point& point, const std::vector<Axis>& axes, const std::string& name) {
  const bool complete =
      std::all_of(axes.begin(), axes.end(), [&](const Axis& axis) { return point.settings.count(axis.name) == 1; });
  return complete && folder_name(point, axes) == name;
}

std::optional<PointResult> point_result(const std::string& text, const std::string& path) {
  try {
    return point_result_from_json(parse_json<Json>(text, path));
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  } catch (const std::out_of_range&) {
    return std::nullopt;
  }
}

std::optional<Point> point_from_json(const Json& document) {
  try {
    return Point{document.at("settings").get<Settings>(), integer_at<int>(document, "repeat")};
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

}  // namespace

void ReportFolder::check_free_for(const Order& order) const {
  std::error_code fault;
  if (std::filesystem::exists(path_, fault) && !std::filesystem::is_directory(path_, fault)) {
    throw Error(fmt::format("{}: there is a file of this name", path_), "choose another --report-dir", ExitCode::usage);
  }
  const auto text = os::read_file(file(order_file));
  if (!text) {
    if (os::names_in(path_).empty()) return;
    throw Error(fmt::format("{}: the folder contains other files, and no sweep", path_), "choose another --report-dir",
                ExitCode::usage);
  }
  const auto there = order_from_json(*text, file(order_file));
  if (same_experiment(order, there)) return;
  throw Error(fmt::format("{}: the folder holds another sweep: {} (in {})", path_, one_line(quote_all(there.command)),
                          there.folder),
              "name another --report-dir, or remove that folder", ExitCode::usage);
}

bool ReportFolder::begin(const Order& order) const {
  check_free_for(order);
  const bool is_new = !exists();
  std::error_code fault;
  std::filesystem::create_directories(path_, fault);
  if (fault) {
    throw Error(fmt::format("{}: the folder can't be made: {}", path_, fault.message()), "choose another --report-dir",
                ExitCode::usage);
  }
  os::write_file(file(order_file), text_of(to_json(order)), readable);
  return is_new;
}

void ReportFolder::withdraw() const {
  if (!exists() || !results().empty() || !begun().empty()) return;
  const auto lock = os::FileLock::try_take(lock_file(), os::WithoutLocks::go_on);
  if (!lock) return;
  std::error_code fault;
  const auto sweep = order();
  // The first point's folder exists if its program or its container could not be started.
  for (const auto& point : all_points(sweep.axes, sweep.repeats)) {
    std::filesystem::remove_all(file(folder_name(point, sweep.axes)), fault);
  }
  for (const auto& name : {file(order_file), file("combined_results.csv"), file("results.json"), file("report.html"),
                           container_start(), lock_file()}) {
    std::filesystem::remove(name, fault);
  }
  const bool current = std::filesystem::equivalent(path_, std::filesystem::current_path(fault), fault);
  if (!current && os::names_in(path_).empty()) std::filesystem::remove(path_, fault);
}

bool ReportFolder::exists() const {
  return os::read_file(file(order_file)).has_value();
}

Order ReportFolder::order() const {
  const auto text = os::read_file(file(order_file));
  if (!text) {
    throw Error(fmt::format("{} does not contain a sweep", path_), "name the report folder of a sweep",
                ExitCode::usage);
  }
  return order_from_json(*text, file(order_file));
}

std::vector<PointResult> ReportFolder::results() const {
  std::vector<PointResult> results;
  if (!exists()) return results;
  const auto axes = order().axes;
  for (const auto& name : os::names_in(path_)) {
    std::error_code fault;
    if (!std::filesystem::is_directory(file(name), fault)) continue;
    const auto text = os::read_file(file(fmt::format("{}/{}", name, result_file)));
    if (!text) continue;
    auto result = point_result(*text, file(fmt::format("{}/{}", name, result_file)));
    if (!result || !names_folder(result->point, axes, name)) {
      throw Error(fmt::format("{}/{}: it is damaged", file(name), result_file),
                  "remove that folder, and its point is run again");
    }
    result->folder = name;  // the samples are read from there; the file's own value is ignored
    results.push_back(std::move(*result));
  }
  std::stable_sort(results.begin(), results.end(), [](const auto& a, const auto& b) { return a.began < b.began; });
  return results;
}

std::vector<Point> ReportFolder::begun() const {
  std::vector<Point> points;
  if (!exists()) return points;
  const auto axes = order().axes;
  for (const auto& name : os::names_in(path_)) {
    std::error_code fault;
    if (!std::filesystem::is_directory(file(name), fault) ||
        os::read_file(file(fmt::format("{}/{}", name, result_file))))
      continue;
    const auto text = os::read_file(file(fmt::format("{}/{}", name, attempt_file)));
    const auto point = point_from_json(parse_json_or_discard<Json>(text.value_or("")));
    if (point && names_folder(*point, axes, name)) points.push_back(*point);
  }
  return points;
}

void ReportFolder::begin_point(const Order& order, const Point& point, int attempt) const {
  const auto folder = file(folder_name(point, order.axes));
  std::filesystem::create_directories(folder);
  os::write_file(folder + "/" + attempt_file,
                 text_of({{"settings", point.settings}, {"repeat", point.repeat}, {"attempt", attempt}}), readable);
  for (const auto& name : os::names_in(folder)) {
    if (name != attempt_file) std::filesystem::remove_all(std::filesystem::path(folder) / name);
  }
}

int ReportFolder::attempts(const Order& order, const Point& point) const {
  const auto text = os::read_file(file(folder_name(point, order.axes) + "/" + attempt_file));
  const auto document = parse_json_or_discard<Json>(text.value_or(""));
  return document.is_object() ? integer_or(document, "attempt", 1) : 0;
}

void ReportFolder::forget_attempt(const Order& order, const Point& point) const {
  std::error_code fault;
  std::filesystem::remove(file(folder_name(point, order.axes) + "/" + attempt_file), fault);
}

void ReportFolder::write(const PointResult& result) const {
  const auto folder = file(result.folder);
  os::write_file(folder + "/summary.txt", summary_text(result), readable);
  os::write_file(folder + "/" + result_file, text_of(to_json(result)), readable);
}

void ReportFolder::write_together(const std::string& search) const {
  const Sweep sweep{order(), results()};
  const auto curves = curves_of(sweep.order, sweep.results);
  os::write_file(file("combined_results.csv"), combined_csv(sweep.order, sweep.results, curves), readable);
  os::write_file(file("results.json"), text_of(results_json(sweep, search)), readable);
  std::vector<PointSeries> series;
  for (const auto& result : sweep.results) {
    const auto table = [&](const char* name) {
      return SampleTable(os::read_file(file(fmt::format("{}/{}_metrics.csv", result.folder, name))).value_or(""));
    };
    series.push_back({&result, {table("gpu"), table("cpu"), table("ram"), table("process")}});
  }
  os::write_file(file("report.html"), page(sweep, series, search, os::effective_user_name()), readable);
}

Json results_json(const Sweep& sweep, const std::string& search) {
  Json document{{"format", "rv-sweep"}, {"version", 1}, {"machine", machine_of(sweep.results)}};
  document["order"] = to_json(sweep.order);
  document["search"] = search.empty() ? Json() : Json(search);
  document["points"] = Json::array();
  for (const auto& result : sweep.results) document["points"].push_back(to_json(result));
  std::vector<Ended> ended;
  for (const auto& result : sweep.results) ended.push_back({result.point, result.end.kind});
  document["left_out"] = Json::array();
  for (const auto& point : left_out(sweep.order, ended))
    document["left_out"].push_back(folder_name(point, sweep.order.axes));
  document["curves"] = Json::array();
  for (const auto& curve : curves_of(sweep.order, sweep.results)) {
    Json one{{"at", curve.others}, {"points", Json::array()}, {"answers", Json::array()}};
    for (const auto& point : curve.points) {
      one["points"].push_back({{"x", point.x},
                               {"throughput", point.throughput ? Json(*point.throughput) : Json()},
                               {"peak_vram_mib", point.vram_mib ? Json(*point.vram_mib) : Json()},
                               {"ran", point.ran},
                               {"out_of_memory", point.out_of_memory != nullptr},
                               {"region", point.region ? Json(to_string(*point.region)) : Json()}});
    }
    for (const auto& answer : answer(sweep.order, curve, machine_of(sweep.results), {})) {
      one["answers"].push_back(to_json(answer));
    }
    document["curves"].push_back(std::move(one));
  }
  return document;
}

}  // namespace rv::sweep
