// Words for exec.
#pragma once

#include <string>
#include <vector>

namespace rv::os {

/// Ends with a null pointer; points into `words`, which must outlive it.
inline std::vector<char*> exec_words(const std::vector<std::string>& words) {
  std::vector<char*> list;
  list.reserve(words.size() + 1);
  for (const std::string& word : words) list.push_back(const_cast<char*>(word.c_str()));
  list.push_back(nullptr);
  return list;
}

}  // namespace rv::os
