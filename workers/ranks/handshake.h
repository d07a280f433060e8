#pragma once

#include <string>
#include <string_view>

#include "workers/ranks/channel.h"

namespace rv::workers {

/// How two processes of a step prove to each other that both have the step's key, which is never sent: each sends a
/// nonce, and answers the other's with HMAC-SHA256 over both nonces and what the one that connects says it is. The one
/// that listens proves itself first, so that a stranger at its port learns nothing.
///
///   rank → {"op": "hello", "protocol": 2, "rank": …, "nonce": A}
///        ← {"op": "challenge", "nonce": B, "proof": HMAC(key, "listener", A, B, hello)}
///        → {"op": "proof", "proof": HMAC(key, "connector", A, B, hello)}
///
/// Nothing is encrypted, and messages that follow carry no proof.
inline constexpr int handshake_protocol = 2;

/// The key of one step of a run. Another step's processes, which may still be at the same port, have another one.
std::string step_key(std::string_view token, std::string_view step);

/// A key for another purpose that every process with `key` can derive: the links between two ranks.
std::string derived_key(std::string_view key, std::string_view purpose);

/// 64 hexadecimal digits that no process has used before. Throws std::runtime_error.
std::string fresh_nonce();

/// The side that proves that it has the key.
enum class Side { listener, connector };

/// What that side answers. `who`: what the one that connects says it is.
std::string proof_of(std::string_view key, Side side, std::string_view connector_nonce, std::string_view listener_nonce,
                     std::string_view who);

/// What the one that listens keeps of a handshake.
class Challenge {
 public:
  /// Throws std::invalid_argument where the hello is of another protocol, or has no nonce.
  explicit Challenge(Json hello);
  const Json& hello() const { return hello_; }
  Json message(std::string_view key) const;
  /// Whether the answer proves that the one that connected has the key.
  bool proven(const Json& answer, std::string_view key) const;

 private:
  Json hello_;
  std::string theirs_, own_;
};

/// Sends the hello through a channel to `place` ("host:port"), and returns once the other side has proven itself and
/// has been sent the own proof. Throws std::runtime_error with the way out where it can't.
void introduce(Channel& channel, Json hello, std::string_view key, const std::string& place,
               Clock::time_point deadline);

}  // namespace rv::workers
