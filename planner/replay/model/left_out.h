// Counts what the replay can't model, for the basis of the forecast: "3 heterogeneous jobs".
#pragma once

#include <string>
#include <vector>

namespace rv::planner {

class LeftOut {
 public:
  /// `noun` has a '*' at the place of its plural s: "job* waiting for licenses".
  void add(const std::string& noun, int count = 1);

  /// One text for each noun, in the order of their first occurrence.
  std::vector<std::string> texts() const;

 private:
  struct Count {
    std::string noun;
    int count = 0;
  };
  std::vector<Count> counts_;
};

}  // namespace rv::planner
