#include "planner/replay/model/left_out.h"

#include <algorithm>

namespace rv::planner {

void LeftOut::add(const std::string& noun, int count) {
  const auto found = std::find_if(counts_.begin(), counts_.end(), [&](const Count& one) { return one.noun == noun; });
  if (found == counts_.end()) {
    counts_.push_back({noun, count});
  } else {
    found->count += count;
  }
}

std::vector<std::string> LeftOut::texts() const {
  std::vector<std::string> texts;
  for (const Count& one : counts_) {
    const std::size_t star = one.noun.find('*');
    texts.push_back(std::to_string(one.count) + " " + one.noun.substr(0, star) + (one.count == 1 ? "" : "s") +
                    one.noun.substr(star + 1));
  }
  return texts;
}

}  // namespace rv::planner
