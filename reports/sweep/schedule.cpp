#include "reports/sweep/schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>

namespace rv::sweep {
namespace {

const Ended* end_of(const std::vector<Ended>& ended, const Point& point) {
  const auto found = std::find_if(ended.begin(), ended.end(), [&](const auto& one) { return one.point == point; });
  return found == ended.end() ? nullptr : &*found;
}

bool is_beyond_memory(const Order& order, const std::vector<Ended>& ended, const Point& point) {
  if (!order.stop_after_oom && !order.find_max) return false;
  const auto& axis = order.axes.front().name;
  const auto mine = whole_number(point.settings.at(axis));
  return std::any_of(ended.begin(), ended.end(), [&](const Ended& one) {
    if (!is_out_of_memory(one.end)) return false;
    auto others = one.point.settings;
    others[axis] = point.settings.at(axis);
    const auto theirs = whole_number(one.point.settings.at(axis));
    return others == point.settings && mine && theirs && *mine >= *theirs;
  });
}

/// What is known of one value, all its repeats taken together.
struct Tried {
  int done = 0;
  bool out_of_memory = false;
  std::optional<EndKind> otherwise;
};

class Search {
 public:
  Search(const Order& order, const std::vector<Ended>& ended) : order_(order), ended_(ended) {
    for (const auto& one : ended) {
      const auto value = whole_number(one.point.settings.at(name()));
      if (!value) continue;
      auto& tried = tried_[*value];
      if (one.end == EndKind::done) ++tried.done;
      if (is_out_of_memory(one.end)) tried.out_of_memory = true;
      if (one.end != EndKind::done && !is_out_of_memory(one.end)) tried.otherwise = one.end;
    }
    for (const auto& [value, tried] : tried_) {
      if (tried.out_of_memory && !too_large_) too_large_ = value;
    }
    for (const auto& [value, tried] : tried_) {
      if (tried.done > 0 && !tried.out_of_memory && !tried.otherwise && (!too_large_ || value < *too_large_))
        fits_ = value;
    }
  }

  Next next() const {
    for (const auto& [value, tried] : tried_) {
      if (tried.otherwise && value > fits_ && (!too_large_ || value < *too_large_)) {
        return {std::nullopt, fmt::format("{} {} ended otherwise ({}), so the largest that fits is not known", name(),
                                          value, to_string(*tried.otherwise))};
      }
    }
    if (!too_large_) return upwards();
    if (fits_ == 0) {
      if (*too_large_ == 1)
        return {std::nullopt, fmt::format("{} 1 does not fit, and no smaller value exists", name())};
      return at(*too_large_ / 2, "half of the smallest that does not fit");
    }
    return between();
  }

 private:
  const std::string& name() const { return order_.axes.front().name; }

  /// The first repeat of the value that has not ended.
  Next at(long long value, std::string reason) const {
    Point point{{{name(), std::to_string(value)}}, 1};
    while (end_of(ended_, point) != nullptr && point.repeat < order_.repeats) ++point.repeat;
    return {point, std::move(reason)};
  }

  Next upwards() const {
    const auto most = *order_.find_max;
    if (fits_ >= most || fits_ == 0) {
      return {std::nullopt, fmt::format("nothing ran out of memory up to {} {}", name(), fits_)};
    }
    return at(fits_ > most / 2 ? most : fits_ * 2, "twice the largest that fits");
  }

  Next between() const {
    const auto step =
        static_cast<long long>(std::bit_floor(static_cast<unsigned long long>(std::max(fits_ / 32, 1LL))));
    auto middle = fits_ + (*too_large_ - fits_) / 2;
    middle -= middle % step;
    if (*too_large_ - fits_ <= step || middle <= fits_) {
      return {std::nullopt, fmt::format("{0} {1} fits and {0} {2} does not", name(), fits_, *too_large_)};
    }
    return at(middle, fmt::format("between {}, which fits, and {}, which does not", fits_, *too_large_));
  }

  const Order& order_;
  const std::vector<Ended>& ended_;
  std::map<long long, Tried> tried_;
  std::optional<long long> too_large_;  // the smallest
  long long fits_ = 0;                  // the largest below that; 0: none
};

/// A value that the search chose is run as often as the others.
std::optional<Point> missing_repeat(const Order& order, const std::vector<Ended>& ended) {
  for (const auto& one : ended) {
    if (one.end != EndKind::done) continue;
    for (Point point{one.point.settings, 1}; point.repeat <= order.repeats; ++point.repeat) {
      if (end_of(ended, point) == nullptr && !is_beyond_memory(order, ended, point)) return point;
    }
  }
  return std::nullopt;
}

}  // namespace

Next next_point(const Order& order, const std::vector<Ended>& ended) {
  auto points = all_points(order.axes, order.repeats);
  if (order.shuffle) points = shuffled(std::move(points), *order.shuffle);
  for (const auto& point : points) {
    if (end_of(ended, point) == nullptr && !is_beyond_memory(order, ended, point)) return {point, ""};
  }
  if (!order.find_max) return {};
  if (auto point = missing_repeat(order, ended)) return {std::move(point), "repetition"};
  return Search(order, ended).next();
}

std::vector<Point> left_out(const Order& order, const std::vector<Ended>& ended) {
  auto points = all_points(order.axes, order.repeats);
  std::erase_if(points, [&](const Point& point) {
    return end_of(ended, point) != nullptr || !is_beyond_memory(order, ended, point);
  });
  return points;
}

}  // namespace rv::sweep
