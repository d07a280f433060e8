// Reads the marks and facts that a host or a login node writes into its output.
#include "base/border/refused_input.h"
#include "cli/remote/hop/follow_channel.h"
#include "cli/remote/hop/marks.h"
#include "cli/remote/hosts/host_facts.h"
#include "tests/fuzz/target.h"

using namespace rv;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = fuzz::text_of(data, size);
  std::size_t got = 0;
  remote::HostFacts facts;
  remote::MarkReader reader("t0");
  const remote::MarkReader::Sink sink{
      .text = [&](std::string_view part) { got += part.size(); },
      .mark =
          [&](std::string_view words, std::string_view part) {
            got += part.size();
            fuzz::read_or_refuse<RefusedInput>([&] { remote::note_fact(facts, words, "t0"); });
            fuzz::read_or_refuse([&] { remote::parse_log_mark(words); });
          }};
  fuzz::read_or_refuse<RefusedInput>([&] {
    for (std::size_t at = 0; at < text.size(); at += 7) reader.feed(text.substr(at, 7), sink);
    remote::meeting_address({facts, facts}, remote::ListedHost::parse("n1").value());
  });
  fuzz::read_or_refuse<RefusedInput>([&] { remote::note_fact(facts, text, "t0"); });
  fuzz::read_or_refuse([&] { remote::parse_log_mark(text); });
  if (got + reader.rest().size() > text.size()) throw std::logic_error("more came out than went in");
  return 0;
}
