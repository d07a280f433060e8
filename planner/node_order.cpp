#include "planner/node_order.h"

#include <cstddef>
#include <utility>

namespace rv::planner {

namespace {

/// Each node's new number.
std::vector<int> numbers(std::size_t nodes, const std::vector<Component>& components) {
  std::vector<int> numbers(nodes, -1);
  int next = 0;
  for (const Component& one : components) {
    for (const int node : one.nodes) numbers[node] = next++;
  }
  for (int& number : numbers) {
    if (number < 0) number = next++;
  }
  return numbers;
}

template <typename Value>
void permute(std::vector<Value>& values, const std::vector<int>& number) {
  std::vector<Value> moved(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) moved[number[i]] = std::move(values[i]);
  values = std::move(moved);
}

}  // namespace

void bring_together(ReplayModel& model, std::vector<Component>& components) {
  const std::vector<int> number = numbers(model.nodes.size(), components);
  const auto rename = [&](std::vector<int>& nodes) {
    for (int& node : nodes) node = number[node];
  };
  permute(model.nodes, number);
  permute(model.blocks, number);
  permute(model.positions, number);
  for (Shape& shape : model.shapes) rename(shape.places);
  for (auto& nodes : model.partition_nodes) rename(nodes);
  for (RunningJob& running : model.running) {
    for (Holding& holding : running.parts) holding.node = number[holding.node];
  }
  for (Component& one : components) rename(one.nodes);
}

}  // namespace rv::planner
