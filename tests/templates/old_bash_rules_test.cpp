#include "old_bash_rules.h"

#include <doctest/doctest.h>

#include "base/embedded_file.h"

TEST_CASE("each construct that an old bash lacks is found") {
  for (const char* const line : {
           "began=${EPOCHREALTIME/[.,]/}",
           "echo $EPOCHSECONDS",
           "echo $((SRANDOM % 6))",
           "echo \"${name@Q}\"",
           "echo \"${names[@]@A}\"",
           "  local -n other=$1",
           "declare -gn other=x",
           "local -I name",
           "local -; set +e",
           "wait -n",
           "wait -p id -n",
           "wait -f \"$child\"",
           "mapfile -d '' names < <(find)",
           "readarray -t -d x names",
           "[[ -v names[0] ]]",
           "[ -v 'names[3]' ]",
           "[[ -R other ]]",
           "if test ! -R other; then :; fi",
           "unset -n other",
           "printf '%Q ' \"$name\"",
           "echo \"${name/b/\"x\"}\"",
           "echo \"${name//\\//'|'}\"",
           "echo \"${names[-1]}\"",
           "unset names[-1]",
           "printf '%(%s)T'",
           "now=$(printf '%(%s)T\\n')",
           "printf -v now '%(%s)T'",
           "echo ${ hostname; }",
           "shopt -s inherit_errexit",
           "read -E name",
           "echo \"${names[@]}\"",
           "for name in \"${names[@]}\"; do :; done",
           "echo \"${names[*]}\"",
           "f ${names[@]+\"${names[@]}\"} \"${others[@]}\"",
           "f ${names[@]+\"${others[@]}\"}",
           "f \"${names[@]:1}\"",
       }) {
    CAPTURE(line);
    const auto said = too_new_for_old_bash("set -u\n" + std::string(line) + "\n");
    CHECK(said.starts_with("2: "));
    CHECK(said.find(line) != std::string::npos);
  }
}

TEST_CASE("constructs of bash 4.2 are accepted") {
  for (const char* const line : {
           "# wait -n is bash 4.3",
           "now=${EPOCHREALTIME:-}",
           "f ${names[@]+\"${names[@]}\"} x",
           "f ${names[@]+\"${names[@]:1}\"}",
           "[ \"${#names[@]}\" -eq 0 ] || echo \"${!names[@]}\" \"${names[0]}\"",
           "printf '%(%s)T\\n' -1",
           "printf -v now '%(%s)T' -1",
           "wait \"$child\"",
           "[[ -r file ]] && unset -v name",
           "printf '%q' \"${name//[\\\"]/_} ${name//\\\"/\\\\\\\"}\"",
           "local -a launch=() before=()",
           "local name=-n",
           "mapfile -t names < <(find . -d)",
           "command -v \"$mailer\" >/dev/null",
           "[[ -v name ]] && declare -g x=1",
           "read -r -d '' stat <file",
           "echo \"${name^^} ${name:1:2} ${!name}\" &>>log",
       }) {
    CHECK(too_new_for_old_bash(line) == "");
  }
}

TEST_CASE("no file of the templates is too new for an old bash") {
  for (const auto& file : rv::embedded::templates()) {
    CAPTURE(file.name);
    CHECK(too_new_for_old_bash(file.text) == "");
  }
}
