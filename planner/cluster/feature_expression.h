// Slurm's --constraint, as far as it can be decided for one node.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rv::planner {

/// Names joined by '&' and '|', with parentheses. Evaluated from left to right without precedence, as Slurm does. What
/// speaks about the set of nodes as a whole ("[a|b]", "a*2", "a,b") can't be decided node by node.
class FeatureExpression {
 public:
  /// Empty text fits every node.
  explicit FeatureExpression(std::string_view text);

  /// False: fits() has no meaning and answers true.
  bool decidable() const { return decidable_; }
  bool fits(const std::vector<std::string>& features) const;

 private:
  std::string text_;
  bool decidable_ = true;
};

/// The expression that holds where both hold: `feature` is one name. Empty where Slurm has no way to write it (counts,
/// or an outer '|' around parentheses, which would have to be nested).
std::optional<std::string> both(std::string_view expression, std::string_view feature);

}  // namespace rv::planner
