#pragma once

#include <string>
#include <string_view>

#include "workers/ranks/channel.h"

namespace rv::workers {

/// How two processes of a step prove to each other that both have the step's key, without sending it. Each side sends a
/// nonce, and replies to the other's nonce with HMAC-SHA256 over both nonces and the hello message. The listener proves
/// itself first, so that a foreign process at its port learns nothing.
///
///   rank → {"op": "hello", "protocol": 2, "rank": …, "nonce": A}
///        ← {"op": "challenge", "nonce": B, "proof": HMAC(key, "listener", A, B, hello)}
///        → {"op": "proof", "proof": HMAC(key, "connector", A, B, hello)}
///
/// Nothing is encrypted, and later messages have no proof.
inline constexpr int handshake_protocol = 2;

/// Derives the key of one step of a run. Processes of another step, which may still use the same port, have a different
/// key.
std::string step_key(std::string_view token, std::string_view step);

/// Derives a key for another purpose, the links between two ranks, from `key`. Every process with `key` gets the same
/// one.
std::string derived_key(std::string_view key, std::string_view purpose);

/// Returns 64 random hexadecimal digits. Throws std::runtime_error.
std::string fresh_nonce();

/// The side whose proof is computed.
enum class Side { listener, connector };

/// Returns the proof of that side. `who` is the text of the hello message.
std::string proof_of(std::string_view key, Side side, std::string_view connector_nonce, std::string_view listener_nonce,
                     std::string_view who);

/// The listener's state of a handshake.
class Challenge {
 public:
  /// Throws std::invalid_argument if the hello has another protocol version, or no nonce.
  explicit Challenge(Json hello);
  const Json& hello() const { return hello_; }
  Json message(std::string_view key) const;
  /// Whether the answer proves that the connecting side has the key.
  bool proven(const Json& answer, std::string_view key) const;

 private:
  Json hello_;
  std::string theirs_, own_;
};

/// Sends the hello through a channel to `place` ("host:port"). Returns after the other side has proven itself and this
/// side's proof has been sent. Throws std::runtime_error with a hint.
void introduce(Channel& channel, Json hello, std::string_view key, const std::string& place,
               Clock::time_point deadline);

}  // namespace rv::workers
