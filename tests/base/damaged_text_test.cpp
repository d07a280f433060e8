// What people type and machines write, damaged, for the readers of base.
#include <string>

#include "base/base64url.h"
#include "base/documents/yaml_reader.h"
#include "base/memory_size.h"
#include "base/quote.h"
#include "base/table.h"
#include "base/text.h"
#include "base/walltime.h"
#include "tests/damaged.h"

using namespace rv;
using test::survives;

TEST_CASE("damaged times, sizes, lists and letters are refused or read") {
  survives([](auto text) { parse_walltime(text); }, "1-02:03:04");
  survives([](auto text) { parse_walltime(text); }, "90m");
  survives([](auto text) { parse_memory(text); }, "104.5GiB");
  survives([](auto text) { from_base64url(text); }, base64url("Any bytes \x01\xff that there are"));
  survives([](auto text) { wrapped(text, 20, 4); },
           "M\xc3\xbcnchen \xe6\xb8\xac\xe8\xa9\xa6 a-very-long-word\nand more");
  survives([](auto text) { one_line(text); }, "a\nb\tc\x1b[31mred");
}

TEST_CASE("damaged YAML is refused or read") {
  survives(
      [](auto text) {
        const YamlPosition place{.file = "a.yaml", .key = "top"};
        for (const auto& entry : yaml_entries(parse_yaml(text, "a.yaml"), place)) {
          yaml_texts(entry.value, {.file = "a.yaml", .key = entry.name});
        }
      },
      "one: 1\ntwo: [a, \"b\", 'c']\n# note\nthree: &x |\n  text\n  more\nfour: *x\nfive: >-\n  folded\n  text\n",
      2000);
}
