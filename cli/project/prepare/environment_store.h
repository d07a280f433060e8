// The environments that rv has made: <scratch>/environments/<name>/<number>/.
//
//   locks/<name>              held (flock) by a process that makes or removes the environment of that name
//   <name>/<number>/          one of them; it stays in the folder that it was made in, because its programs hold their
//   path <name>/<number>/environment.json   its record, written when it is whole <name>/current            a link to
//   the number that new runs get; renamed into place when that is whole <name>/<number>.log       what the programs
//   said that made it
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace rv::project {

struct Environment {
  std::string name;     // see environment_name.h
  std::string folder;   // absolute: <scratch>/environments/<name>/<number>
  std::string prefix;   // absolute: the folder with bin/
  bool conda = false;   // activated as conda does
  std::string tool;     // "pip", "uv", …
  std::string from;     // "requirements.txt", for people
  std::string project;  // the folder that it was made for first
  std::chrono::sys_seconds made;
  std::chrono::seconds took{0};
};

/// One folder below a name.
struct StoredEnvironment {
  std::string name;
  std::string folder;
  std::optional<Environment> whole;  // nothing: a half that was left behind
  bool current = false;
  std::chrono::sys_seconds used;  // when a run last got it, or when it was made
};

class EnvironmentStore {
 public:
  explicit EnvironmentStore(const std::string& scratch) : root_(scratch + "/environments") {}

  const std::string& root() const { return root_; }
  std::string lock_file(const std::string& name) const { return root_ + "/locks/" + name; }

  /// The environment for new runs, if it is complete and its programs can be started. Runs no process. Throws Error if
  /// another user owns or can write to its folder or the folders above it.
  std::optional<Environment> current(const std::string& name) const;
  /// The folder that the next one of that name is made in; no folder has had that number as far as can be seen.
  std::string next_folder(const std::string& name) const;

  /// From here on it is the current one. Its folder holds all but the record.
  void publish(const Environment& environment) const;
  /// It has been used now.
  static void touch(const Environment& environment);

  /// All, halves and superseded ones too, in order. Throws Error where a folder can't be read.
  std::vector<StoredEnvironment> all() const;
  /// Removes its folder, and what is left of the name when it was the last. False when another process is at it.
  bool remove(const StoredEnvironment& stored) const;
  /// The same for one whose name is locked by the caller. What can't be deleted stays.
  void remove_locked(const StoredEnvironment& stored) const;

 private:
  void check(const std::string& folder) const;

  std::string root_;
};

}  // namespace rv::project
