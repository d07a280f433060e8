// A piece of work on the hosts of --hosts, over ssh: a script on each, started together, watched together, ended
// together.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/border/report_name.h"
#include "cli/hosts/programs.h"
#include "cli/remote/hosts/host_group.h"
#include "cli/remote/hosts/hosts_list.h"

namespace rv::cli {

/// Where a host's side is: its own private folder, and the programs.
struct HostPlace {
  remote::ListedHost host;
  std::string folder, workers;
  int slots;

  /// The folder of the host's reports.
  std::string reports() const { return folder + "/reports/" + host.text(); }
};

/// The work on a host: files for its private folder, among them the script node.sh. Its reports are what it puts into
/// reports/HOST there.
struct HostScript {
  struct File {
    std::string name, mode;
    remote::HostSession::Bytes content;
  };
  std::vector<File> files;

  void add(const std::string& name, const std::string& mode, std::string content);
};

class HostsWork {
 public:
  /// Connects. `word`: the argument of --hosts, for the messages; `kind`: the reports that hosts may send.
  HostsWork(const std::string& word, const std::vector<remote::Host>& hosts, Programs programs, ReportKind kind);
  /// Ends what still runs on the hosts.
  ~HostsWork();
  HostsWork(const HostsWork&) = delete;
  HostsWork& operator=(const HostsWork&) = delete;

  const std::vector<remote::Host>& hosts() const { return hosts_; }
  remote::HostGroup& group() { return group_; }

  /// Waits until all hosts have answered. False: Ctrl-C. Throws Error(connection) that names every host which can't be
  /// used.
  bool reach();

  /// Runs on each host what `script_of` makes for it, with these `slots` (of more GPUs the first ones are shown to it),
  /// until all have ended or one is lost; then nothing of it is left anywhere. Reports come to `reports`/HOST as they
  /// are made; a host that sends other data counts as lost. False: Ctrl-C. Throws Error if reports can't be
  /// written.
  bool run(const std::string& reports, const std::vector<int>& slots,
           const std::function<HostScript(const HostPlace&)>& script_of);

  /// The first host whose script ended with this code.
  std::optional<std::string> first_ended_with(int code);

 private:
  /// Ends what runs on the hosts, and says where that could not be done.
  void end();
  bool served_until(const std::function<bool()>& done);
  void check_reached() const;
  void say_workers();
  void store(std::size_t host, ReportKind kind, const std::vector<remote::Report>& reports);
  void print(std::size_t host, std::string_view text);

  std::string word_;
  std::vector<remote::Host> hosts_;
  Programs programs_;
  std::string reports_;
  std::vector<std::string> rests_;  // of lines that are not whole yet
  std::set<std::string> left_;      // pages that were not taken, by host and name
  std::size_t width_ = 0;
  bool ended_ = false;
  remote::HostGroup group_;  // the last: it prints through the others
};

/// The number of GPUs for the work on a host: from the command line, else from the file, else all of the host.
/// `device`: "cpu" takes the requested number, else `without`; "cuda" needs a number or visible GPUs. Throws
/// Error(usage).
int slots_of(std::optional<int> typed, const std::string& device, int without, const remote::HostSession& session);

}  // namespace rv::cli
