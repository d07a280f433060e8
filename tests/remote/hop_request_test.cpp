#include "cli/remote/hop/hop_request.h"

#include <doctest/doctest.h>

#include <random>

#include "base/base64url.h"
#include "base/error.h"
#include "base/quote.h"
#include "cli/remote/hop/remote_script.h"

namespace rv::remote {

TEST_CASE("base64url: the vectors of RFC 4648, without padding") {
  CHECK(base64url("") == "");
  CHECK(base64url("f") == "Zg");
  CHECK(base64url("fo") == "Zm8");
  CHECK(base64url("foo") == "Zm9v");
  CHECK(base64url("foobar") == "Zm9vYmFy");
  CHECK(base64url("\xff\xef\xbf") == "_--_");
  CHECK(from_base64url("Zm9vYmE") == "fooba");
}

TEST_CASE("a request survives a round trip with any bytes") {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    remote::HopRequest request{
        .token = "0123456789abcdef",
        .words = {},
        .folder = round % 2 == 0 ? "" : "/scratch/ann/ü x",
        .signal = round % 3 == 0 ? "15" : "",
        .follows = round % 5 == 0,
        .terminal = {.in = true, .out = false, .err = true, .width = round, .colour = true, .utf8 = true},
        .resume = {.wanted = true, .run = "k3f9x2", .offsets = {{"n1.out", 3'000'000'000}, {"n1.err", 0}}},
        .project = {.name = "net-1a2b3c4d",
                    .folder = round % 2 == 0 ? "" : "a b/\xff",
                    .code = round % 3 == 0 ? "" : "{\"commit\": \"\xff\"}"},
        .dialogue = round % 3 == 0};
    for (int word = 0; word < round % 9; ++word) {
      std::string text;
      for (auto length = random() % 20; length > 0; --length) text += static_cast<char>(random() % 256);
      request.words.push_back(text);
    }
    const std::string packed = remote::encode(request);
    CHECK(is_plain_word(packed));
    CHECK(remote::decode(packed) == request);
  }
}

TEST_CASE("a request not written by rv is rejected") {
  CHECK_THROWS_AS(remote::decode(""), Error);
  CHECK_THROWS_AS(remote::decode("x'; rm -rf /"), Error);
  CHECK_THROWS_AS(remote::decode(base64url("{}")), Error);
}

TEST_CASE("a remote command is one line that csh reads as well") {
  for (const char* script : {"bootstrap.sh", "install.sh"}) {
    const std::string command = remote::remote_command(script, {"rv-1", "-", "abc", "def"});
    CHECK(command.starts_with("exec /bin/sh -c '"));
    CHECK(command.ends_with("' rv rv-1 - abc def"));
    const std::string inside = command.substr(17, command.rfind('\'') - 17);
    CHECK(inside.find_first_of("'!\n#") == std::string::npos);
  }
  CHECK_THROWS_AS(remote::remote_command("bootstrap.sh", {"a b"}), Error);
  CHECK_THROWS_AS(remote::remote_command("bootstrap.sh", {""}), Error);
  CHECK_THROWS_AS(remote::remote_command("bootstrap.sh", {"$(id)"}), Error);
}

}  // namespace rv::remote

TEST_CASE("deeply nested requests are rejected before they are decoded") {
  for (const std::string& open : {std::string("\x91"), std::string("\x81\xa0"), std::string("\xdd\0\0\0\1", 5)}) {
    std::string packed;
    for (int i = 0; i < 200'000; ++i) packed += open;
    CHECK_THROWS_WITH_AS(rv::remote::decode(rv::base64url(packed)), "--hop: it is nested more than 100 levels deep",
                         rv::Error);
  }
}
