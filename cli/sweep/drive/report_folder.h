// Where a sweep's files are: sweep.json, a folder a point, and what all points together say.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/sweep/comparison.h"
#include "reports/sweep/schedule.h"

namespace rv::sweep {

class ReportFolder {
 public:
  explicit ReportFolder(std::string path) : path_(std::move(path)) {}
  const std::string& path() const { return path_; }
  std::string file(const std::string& name) const { return path_ + "/" + name; }
  /// Held by the process that goes through the sweep.
  std::string lock_file() const { return file(".lock"); }
  /// The script that starts the sweep's container, where it has one.
  std::string container_start() const { return file("container"); }

  /// Throws Error(usage) for a folder with another sweep in it, or with other things. Writes nothing.
  void check_free_for(const Order& order) const;
  /// Makes the folder and writes down the order. Returns whether it held no sweep before.
  bool begin(const Order& order) const;
  /// Undoes `begin`: removes the sweep's files, and the folder once it is empty. Does nothing where a point has begun
  /// or ended, or where another process is at the sweep.
  void withdraw() const;

  /// Whether it holds a sweep.
  bool exists() const;
  /// Throws Error(usage) where no sweep is.
  Order order() const;
  /// Of the points that have ended, in the order in which they began.
  std::vector<PointResult> results() const;
  /// Points that were begun and have not ended: one is under way, or was cut off.
  std::vector<Point> begun() const;

  /// From here on the point was begun, for the `attempt`-th time (from 1): its folder is empty but for that.
  void begin_point(const Order& order, const Point& point, int attempt) const;
  /// How often it was begun since it was last given up in good order.
  int attempts(const Order& order, const Point& point) const;
  /// As if it had never been begun.
  void forget_attempt(const Order& order, const Point& point) const;
  /// The point's end, whole or not at all; with summary.txt.
  void write(const PointResult& result) const;

  /// combined_results.csv, results.json and report.html, from what has ended by now.
  void write_together(const std::string& search) const;

 private:
  std::string path_;
};

/// What results.json holds: order, machine, points, curves with their answers. `search`: how --find-max ended.
nlohmann::ordered_json results_json(const Sweep& sweep, const std::string& search);

}  // namespace rv::sweep
