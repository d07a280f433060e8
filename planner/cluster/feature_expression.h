// Slurm's --constraint: which nodes may take a job, and whether enough of them go together.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rv::planner {

/// Names joined by '&' and '|', with parentheses, evaluated from left to right without precedence, as Slurm does
/// (sbatch(1), --constraint). Two forms speak about the nodes of a job together: "[a|b]", all of them have the same
/// one, and "a*2", at least two of them have it.
class FeatureExpression {
 public:
  using Features = std::vector<std::string>;

  /// Empty text fits every node.
  explicit FeatureExpression(std::string_view text);

  /// False: the text has a form that is not known here; fits() and together() answer true.
  bool readable() const { return readable_; }
  /// False: fits() is necessary and not sufficient, and together() decides.
  bool node_by_node() const { return readable_ && alternatives_.size() <= 1 && counts_.empty(); }
  /// Why every Slurm refuses the form of the expression; empty: none does.
  std::string fault() const;
  /// A count beside '&' or '|' outside of brackets, which later releases refuse ("Invalid feature specification": 25.05
  /// and 26.05 were tried). In 22.05 every node has to have all the features.
  bool has_open_counts() const { return open_counts_; }
  /// Every feature that it names.
  std::vector<std::string> names() const;

  /// Whether a node with these features can be one of the job's nodes.
  bool fits(const Features& features) const;

  /// Whether some `count` of these nodes are what it asks for. `nodes`: those that fit.
  bool together(const std::vector<const Features*>& nodes, int count) const;

 private:
  struct Count {
    std::string expression;
    int nodes = 0;
  };

  bool read_counts(const std::string& text);
  void read_alternatives(const std::string& text);

  std::string text_;
  std::vector<std::string> alternatives_;  // plain expressions; a job's nodes all fit the same one
  std::vector<Count> counts_;
  bool readable_ = true;
  bool open_counts_ = false;
};

/// The expression that holds where both hold: `feature` is one name. Empty where Slurm has no way to write it (counts,
/// or an outer '|' around parentheses, which would have to be nested).
std::optional<std::string> both(std::string_view expression, std::string_view feature);

}  // namespace rv::planner
