// A separate TCP connection between the login node and a step on a node: srun's would delay every exchange by tens
// of milliseconds. Each side shows a word that only the two know, so that neither takes a stranger for the other.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/os/poll_loop.h"
#include "cli/remote/forward/dialler.h"
#include "shared/system/descriptor.h"

namespace rv::forward {

/// What the step sends over srun, which no other user can read.
struct LineOffer {
  int port = 0;        // of the node; 0: there is no line
  std::string word;    // the caller shows it first
  std::string answer;  // and the step shows this

  bool operator==(const LineOffer&) const = default;
};
std::string to_text(const LineOffer& offer);
/// No line for text that to_text can't have written.
LineOffer line_offer(const std::string& text);

/// A connection on which the other side is expected to send its secret.
struct AwaitedSecret {
  using Clock = std::chrono::steady_clock;

  os::Descriptor socket;
  std::string heard;
  Clock::time_point until;

  enum class SecretState { more, right, wrong };
  SecretState listen(const std::string& word);
};

/// The step's side: listens until the caller has come, or for half a minute.
class LineListener {
 public:
  using Taken = std::function<void(os::Descriptor socket)>;

  LineListener(os::PollLoop& loop, Taken taken);
  ~LineListener() { stop(); }
  LineListener(const LineListener&) = delete;
  LineListener& operator=(const LineListener&) = delete;

  const LineOffer& offer() const { return offer_; }
  /// Closes connections that have taken too long. Call it regularly.
  void check_time();

 private:
  void accept_one();
  void hear(int fd);
  void drop(int fd);
  void stop();

  os::PollLoop& loop_;
  Taken taken_;
  LineOffer offer_;
  os::Descriptor socket_;
  AwaitedSecret::Clock::time_point until_;
  std::map<int, AwaitedSecret> callers_;
};

/// The login node's side.
class LineCaller {
 public:
  /// The connection, or none when there is no way.
  using Done = std::function<void(os::Descriptor socket)>;

  LineCaller(os::PollLoop& loop, std::vector<Address> addresses, LineOffer offer, Done done);
  ~LineCaller() { hang_up(); }
  LineCaller(const LineCaller&) = delete;
  LineCaller& operator=(const LineCaller&) = delete;

  /// Closes connections that have taken too long. Call it regularly.
  void check_time();

 private:
  void hear();
  void hang_up();

  os::PollLoop& loop_;
  LineOffer offer_;
  Done done_;
  AwaitedSecret called_;
  Dialler dialler_;
};

}  // namespace rv::forward
