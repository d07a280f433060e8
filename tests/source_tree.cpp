#include "tests/source_tree.h"

std::string in_tree(const std::string& path) {
  return RV_ROOT "/" + path;
}
