#pragma once

#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "workers/compute/gemm.h"
#include "workers/compute/memory_bandwidth.h"

/// A real product on the host whose device is bad: from run `from` on, its output is off by `error` everywhere in one
/// row, and its bits change with every run.
class CorruptedProduct : public rv::workers::Product {
 public:
  CorruptedProduct(std::unique_ptr<Product> good, std::size_t row, double error, int from = 0)
      : good_(std::move(good)), row_(row), error_(error), from_(from) {}

  rv::workers::NumberType type() const override { return good_->type(); }
  std::size_t size() const override { return good_->size(); }
  int tune() override { return good_->tune(); }
  double run(int repeats) override {
    runs_ += repeats;
    return good_->run(repeats);
  }
  void poison() override { good_->poison(); }
  Digest digest() override {
    auto digest = good_->digest();
    if (runs_ >= from_) {
      digest.checksum += static_cast<std::uint64_t>(runs_);
      if (!std::isfinite(error_)) digest.not_finite += size();
    }
    return digest;
  }
  Projection project(std::uint64_t seed) override {
    auto projection = good_->project(seed);
    // One element of the row is off, so that no signs can hide it.
    if (runs_ >= from_) projection.got[row_] += error_;
    return projection;
  }
  void inputs(std::size_t row, std::size_t column, std::span<double> a, std::span<double> b) const override {
    good_->inputs(row, column, a, b);
  }
  double output(std::size_t row, std::size_t column) const override {
    const auto value = good_->output(row, column);
    return row == row_ && runs_ >= from_ ? value + error_ : value;
  }

 private:
  std::unique_ptr<Product> good_;
  std::size_t row_;
  double error_;
  int from_, runs_ = 0;
};
