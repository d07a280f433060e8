#include "planner/replay/model/node_numbering.h"

#include <cstddef>
#include <utility>

namespace rv::planner {

namespace {

class Numbers {
 public:
  explicit Numbers(std::size_t size) : number_(size, -1) {}

  /// The next number, unless it has one.
  void give(int one) {
    if (number_[one] < 0) number_[one] = next_++;
  }
  void give_rest() {
    for (std::size_t i = 0; i < number_.size(); ++i) give(static_cast<int>(i));
  }
  int operator[](std::size_t one) const { return number_[one]; }

 private:
  std::vector<int> number_;
  int next_ = 0;
};

template <typename Value>
void permute(std::vector<Value>& values, const Numbers& number) {
  std::vector<Value> moved(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) moved[number[i]] = std::move(values[i]);
  values = std::move(moved);
}

void rename(std::vector<int>& members, const Numbers& number) {
  for (int& member : members) member = number[member];
}

void order_nodes(ReplayModel& model, std::vector<Component>& components) {
  Numbers number(model.nodes.size());
  for (const Component& one : components) {
    for (const int node : one.nodes) number.give(node);
  }
  number.give_rest();
  permute(model.nodes, number);
  permute(model.reserved_times, number);
  permute(model.positions, number);
  for (Shape& shape : model.shapes) {
    rename(shape.places, number);
    rename(shape.required, number);
  }
  for (auto& nodes : model.partition_nodes) rename(nodes, number);
  for (RunningJob& running : model.running) {
    for (JobPart& holding : running.parts) holding.node = number[holding.node];
  }
  for (Component& one : components) rename(one.nodes, number);
}

void order_jobs(ReplayModel& model, std::vector<Component>& components) {
  Numbers number(model.jobs.size());
  for (const Component& one : components) {
    for (const QueueEntry& queued : one.entries) number.give(queued.job);
    for (const int running : one.running) number.give(model.running[running].job);
  }
  number.give_rest();
  permute(model.jobs, number);
  for (ReplayJob& job : model.jobs) rename(job.after, number);
  for (Entry& entry : model.entries) entry.job = number[entry.job];
  for (RunningJob& running : model.running) running.job = number[running.job];
  for (Component& one : components) {
    for (QueueEntry& queued : one.entries) queued.job = number[queued.job];
  }
}

}  // namespace

void number_by_component(ReplayModel& model, std::vector<Component>& components) {
  order_nodes(model, components);
  order_jobs(model, components);
}

}  // namespace rv::planner
