// Slurm's --constraint: which nodes a job may use, and whether enough of them may be used together.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rv::planner {

/// Names joined by '&' and '|', with parentheses, evaluated from left to right without precedence, as Slurm does
/// (sbatch(1), --constraint). Two forms are conditions on all nodes of a job: "[a|b]" (all nodes have the same one of
/// these features) and "a*2" (at least two nodes have the feature).
class FeatureExpression {
 public:
  using Features = std::vector<std::string>;

  /// Every node fits an empty text.
  explicit FeatureExpression(std::string_view text);

  /// False if rv does not know the form of the text; fits() and together() then return true.
  bool readable() const { return readable_; }
  /// False if nodes that each fit may not fit together: then together() decides.
  bool node_by_node() const { return readable_ && alternatives_.size() <= 1 && counts_.empty(); }
  /// Why every release of Slurm refuses the expression; empty if at least one accepts its form.
  std::string fault() const;
  /// Whether a count stands beside '&' or '|' outside of brackets. Later releases refuse this ("Invalid feature
  /// specification": tested with 25.05 and 26.05). In 22.05 every node must have all the features.
  bool has_open_counts() const { return open_counts_; }
  /// All features in the expression.
  std::vector<std::string> names() const;

  /// Whether a node with these features can be one of the job's nodes.
  bool fits(const Features& features) const;

  /// Whether `count` of these nodes together satisfy the expression. `nodes`: the nodes that fit.
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

/// Returns an expression that requires `expression` and `feature`, which is one name. Nothing if Slurm's syntax can't
/// express it (counts, or an outer '|' around parentheses, which would need nested parentheses).
std::optional<std::string> both(std::string_view expression, std::string_view feature);

}  // namespace rv::planner
