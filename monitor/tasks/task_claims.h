// Who runs which task: numbered files in map/claims of the run's folder, made as those of the ledger. A node claims
// tasks before it starts them, so no task is started twice by one start of the job, and an earlier start claims none
// any more once a later one has begun.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "monitor/tasks/task_list.h"

namespace rv::monitor {

enum class ClaimKind {
  pass,   // a start of the job begins: these tasks are to be run
  chunk,  // this node runs these tasks
  done,   // this node has run its tasks, and none is left
};

struct TaskClaim {
  ClaimKind kind = ClaimKind::chunk;
  std::string start;  // of the job: its ID and Slurm's count of restarts, "4711.0"
  std::string node;
  std::string token;       // of the writer of this entry
  std::vector<int> tasks;  // of a pass or a chunk
};

/// "chunk 4711.0 n1 9f3c1e05 1-40" and a newline.
std::string to_line(const TaskClaim& claim);
std::optional<TaskClaim> parse_task_claim(std::string_view text);

/// What the entries add up to.
class TaskClaims {
 public:
  void add(const TaskClaim& claim);

  /// The latest start of the job; empty: none has begun.
  const std::string& start() const { return start_; }
  bool has_begun(const std::string& start) const;
  /// The writer (its start and node, "4711.0.n1") that claimed the task last; nothing: none has.
  const std::string* writer_of(int task) const;
  /// How many tasks of the latest start are claimed by no node.
  int unclaimed() const { return static_cast<int>(tasks_.size() - next_); }
  /// The next tasks, `most` at most.
  std::vector<int> next(int most) const;
  /// How many nodes of the latest start are done.
  int nodes_done() const { return nodes_done_; }

 private:
  std::string start_;
  std::vector<std::string> starts_;
  std::vector<int> tasks_;
  std::size_t next_ = 0;
  int nodes_done_ = 0;
  std::map<int, std::string> writers_;
};

/// How many tasks a node with `free` idle slots claims at once. Few claims for many tasks, and small ones near the end
/// if several nodes share the rest.
int chunk_size(int unclaimed, int total, int nodes, int free);

/// The claims of a run, read from and added to its folder.
class ClaimFolder {
 public:
  explicit ClaimFolder(const std::string& run_folder) : folder_(run_folder + "/map/claims") {}

  /// Reads new entries. Throws Error for one that can't be read, because it may decide.
  void read();
  const TaskClaims& claims() const { return claims_; }
  /// Adds the entry; false if another writer was faster: then its entries have been read, and the rules must be applied
  /// again. Throws Error.
  bool append(TaskClaim claim);

 private:
  void add(const std::vector<std::string>& texts);

  std::string folder_;
  std::size_t known_ = 0;
  TaskClaims claims_;
};

}  // namespace rv::monitor
