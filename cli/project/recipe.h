// How an environment is made: the command lines, as values.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cli/project/dependencies.h"

namespace rv::project {

/// Programs of this machine, by their whole paths; empty: not there.
struct Tools {
  std::string uv;
  std::string conda;  // micromamba, mamba or conda
  std::string pixi;
};

struct Step {
  std::string what;  // for people
  std::vector<std::string> argv;
};

struct Recipe {
  struct File {
    std::string name;
    std::string content;
  };
  std::string tool;                                            // "pip", "uv", …
  std::string prefix;                                          // the folder with bin/, from the environment's folder
  bool conda = false;                                          // it is activated as conda does
  std::vector<File> files;                                     // to be written into the environment's folder first
  std::vector<Step> steps;                                     // one after the other, in the project's folder
  std::vector<std::pair<std::string, std::string>> variables;  // for all of them
  std::vector<std::pair<std::string, std::string>> caches;     // the same, where the user has not set them
  std::vector<std::string> without;                            // variables that must not reach them
  std::vector<std::string> notes;                              // for people
};

/// `folder`: where the environment is made, `scratch`: where caches are; both absolute. Throws Error where the files
/// need a program that is not there.
Recipe recipe(const Dependencies& dependencies, const EnvironmentChoice& choice, const Tools& tools,
              const std::string& folder, const std::string& scratch);

}  // namespace rv::project
