// Job scripts as users' runs get them.
#pragma once

#include <string>

#include "templates/job_script.h"

/// One of each kind: "plain", "requeue", "several", "hold", "array", "chain", "after".
struct ScriptOptions {
  std::string run_folder = "/nonexistent";
  std::string work_folder = "/";
  std::vector<std::string> command = {"true"};
  int candidate = 1;
  std::string predecessor = "/nonexistent";  // the run folder that "after" follows
};
std::string rendered_script(const std::string& kind, const ScriptOptions& options);

/// What a shell's command prints.
std::string said_by(const std::string& command);

/// The part of a script that defines things, up to its first step.
std::string functions_of(const std::string& script);
