// The files from which a setup.py or setup.cfg takes a package's dependencies.
#pragma once

#include <string>
#include <vector>

namespace rv::project {

/// Whether the text of a setup.py may take its lists from elsewhere: it reads files, variables or programs.
bool computes(const std::string& setup);

/// The texts that a program has in quotes and that may be file names: open("deps/base.txt").
std::vector<std::string> quoted_texts(const std::string& program);

/// The files of lines such as "install_requires = file: requirements.txt, more.txt" in a setup.cfg.
std::vector<std::string> files_in_setup_cfg(const std::string& text);

}  // namespace rv::project
