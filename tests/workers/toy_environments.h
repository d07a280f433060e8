#pragma once

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "workers/envs/environments.h"
#include "workers/envs/numbers/random.h"

namespace rv::tests {

/// Points on a plane that are to be pushed to the origin: four observations (place and speed), two actions (forces), a
/// reward of 1 - distance² a step. An episode ends after 40 steps, or by leaving the square of side 4.
class ToyEnvironments : public envs::Environments {
 public:
  ToyEnvironments(int count, std::uint64_t seed, int first = 0) : seed_(seed), first_(first), points_(size(count)) {}

  envs::Sizes sizes() const override { return {static_cast<int>(points_.size()), 4, 2}; }
  std::size_t bytes() const override { return points_.size() * sizeof(Point); }
  void reset(float* observations, void*) override {
    for (std::size_t i = 0; i < points_.size(); ++i) {
      points_[i] = {};
      begin(i);
      observe(i, observations);
    }
  }
  void step(const envs::StepBuffers& buffers, void*) override {
    for (std::size_t i = 0; i < points_.size(); ++i) {
      auto& p = points_[i];
      float distance = 0;
      for (int axis = 0; axis < 2; ++axis) {
        const float force = std::fmin(1.0F, std::fmax(-1.0F, buffers.actions[2 * i + static_cast<std::size_t>(axis)]));
        p.speed[axis] = 0.8F * p.speed[axis] + 0.1F * force;
        p.place[axis] += p.speed[axis];
        distance += p.place[axis] * p.place[axis];
      }
      buffers.rewards[i] = 1 - distance;
      const bool out = std::fabs(p.place[0]) > 2 || std::fabs(p.place[1]) > 2;
      const bool late = ++p.steps >= 40;
      buffers.terminated[i] = out ? 1 : 0;
      buffers.timed_out[i] = late && !out ? 1 : 0;
      if (out || late) begin(i);
      observe(i, buffers.observations);
    }
  }
  std::vector<std::byte> state() const override {
    std::vector<std::byte> bytes(points_.size() * sizeof(Point));
    std::memcpy(bytes.data(), points_.data(), bytes.size());
    return bytes;
  }
  void restore(const std::vector<std::byte>& state) override {
    std::memcpy(points_.data(), state.data(), state.size());
  }
  Figures figures() override {
    const auto unknown = std::numeric_limits<double>::quiet_NaN();
    return {unknown, unknown, unknown};
  }

 private:
  struct Point {
    float place[2], speed[2];
    std::uint32_t steps, episodes;
  };
  static std::size_t size(int count) { return static_cast<std::size_t>(count); }
  void begin(std::size_t i) {
    auto& p = points_[i];
    const auto bits =
        envs::philox({{p.episodes++, static_cast<std::uint32_t>(i) + static_cast<std::uint32_t>(first_), 7, 0}}, seed_);
    for (int axis = 0; axis < 2; ++axis) {
      p.place[axis] = envs::uniform(bits.word[axis], -1, 1);
      p.speed[axis] = 0;
    }
    p.steps = 0;
  }
  void observe(std::size_t i, float* observations) const {
    const auto& p = points_[i];
    const float all[4] = {p.place[0], p.place[1], p.speed[0], p.speed[1]};
    std::memcpy(observations + 4 * i, all, sizeof all);
  }

  std::uint64_t seed_;
  int first_;
  std::vector<Point> points_;
};

}  // namespace rv::tests
