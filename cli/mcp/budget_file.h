// The file of the budget, $RV_HOME/mcp/budget.json: mode 0600, changed under a lock, so that several servers share it.
#pragma once

#include <functional>
#include <string>

#include "cli/mcp/budget.h"

namespace rv::mcp {

class BudgetFile {
 public:
  /// `home`: rv's home folder.
  explicit BudgetFile(const std::string& home) : folder_(home + "/mcp") {}

  /// Returns an empty budget if there is no file. Throws Error for a file that is damaged, or that another user can
  /// write.
  Budget read() const;

  /// Reads the budget, lets `change` change it, and stores the result on disk. If `change` throws, the file keeps its
  /// content. Throws Error as read() does, when the file can't be locked within ten seconds, and when it can't be
  /// written.
  void change(const std::function<void(Budget& budget)>& change) const;

 private:
  std::string path() const { return folder_ + "/budget.json"; }

  std::string folder_;
};

}  // namespace rv::mcp
