#include "cli/remote/sync/git.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "base/os/atomic_file.h"
#include "base/variable.h"
#include "cli/remote/sync/guarded_git.h"

namespace rv::sync {

namespace {

constexpr int none_matched = 1;  // git check-ignore's code

[[noreturn]] void refuse(const std::string& folder, const os::Result& result) {
  if (result.exit_code == 127) {
    throw Error("git can't be started: " + result.err,
                "install it (Debian: git); rv needs it to find the files to push");
  }
  throw Error(fmt::format("git does not list the files of {}: {}", folder,
                          result.timed_out ? "no answer" : result.err.substr(0, result.err.find('\n'))),
              "see git -C " + folder + " status");
}

/// An empty work tree in a separate folder: only the patterns decide what is ignored.
class EmptyWorkTree {
 public:
  explicit EmptyWorkTree(const std::string& patterns) {
    const std::string wanted = variable("TMPDIR");
    path_ = (wanted.starts_with('/') ? wanted : "/tmp") + "/rv-ignore-XXXXXX";
    if (::mkdtemp(path_.data()) == nullptr) {
      throw Error("can't create a folder like " + path_, "set TMPDIR to a writable folder");
    }
    const auto made = ask_git(path_, GitQuestion::new_worktree, {"-q", "--template="});
    if (!made.ok()) refuse(path_, made);
    os::make_folder(path_ + "/.git/info");
    os::write_file(path_ + "/.git/info/exclude", patterns);
  }
  ~EmptyWorkTree() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  EmptyWorkTree(const EmptyWorkTree&) = delete;
  EmptyWorkTree& operator=(const EmptyWorkTree&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace

std::vector<std::string> split_nul(std::string_view text) {
  std::vector<std::string> found;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\0'), text.size());
    found.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return found;
}

std::string join_nul(const std::vector<std::string>& texts) {
  std::string joined;
  for (const auto& text : texts) {
    joined += text;
    joined += '\0';
  }
  return joined;
}

std::vector<std::string> git_files(const std::string& folder) {
  const auto listed = ask_git(folder, GitQuestion::files, {"-z", "--cached", "--others", "--exclude-standard"});
  if (!listed.ok()) refuse(folder, listed);
  return split_nul(listed.out);
}

std::vector<std::string> git_ignored(const std::string& folder, const std::vector<std::string>& paths) {
  if (paths.empty()) return {};
  const auto found = ask_git(folder, GitQuestion::ignored, {"-z", "--stdin"}, join_nul(paths));
  // Other failures concern single paths, for example those in a submodule.
  if (refused_owner(found)) refuse(folder, found);
  return found.ok() ? split_nul(found.out) : std::vector<std::string>();
}

std::vector<std::string> matched_by(const std::string& patterns, const std::vector<std::string>& paths) {
  if (paths.empty() || patterns.find_first_not_of(" \t\r\n") == std::string::npos) return {};
  const EmptyWorkTree tree(patterns);
  const auto found =
      ask_git(tree.path(), GitQuestion::ignored, {"--no-index", "-z", "--stdin"}, join_nul(paths), Excludes::none);
  if (!found.ok() && found.exit_code != none_matched) refuse(tree.path(), found);
  return split_nul(found.out);
}

}  // namespace rv::sync
