// What the user's machine opens for a run: the login node's announcement, checked against the command's request.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/open/announcement.h"
#include "cli/open/page_path.h"

namespace rv::cli {

struct OpenRequest {
  std::vector<forward::PortPair> ports = {};  // local 0: any that is free here; remote 0: the server chose one
  bool page = false;                          // the first port serves a page
};

class Opening {
 public:
  /// Throws Error for an announcement with other ports than the request's, with a page that was not asked for or
  /// without a requested page, or with names that are not valid for a run or node.
  Opening(const Announcement& what, const OpenRequest& asked);

  const std::string& run() const { return run_; }
  const std::string& node() const { return node_; }
  const std::vector<forward::PortPair>& ports() const { return ports_; }
  const std::optional<PagePath>& page() const { return page_; }
  bool secure() const { return secure_; }

 private:
  std::string run_;
  std::string node_;
  std::vector<forward::PortPair> ports_;
  std::optional<PagePath> page_;
  bool secure_ = false;
};

}  // namespace rv::cli
