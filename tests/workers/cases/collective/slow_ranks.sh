#!/usr/bin/env bash
# rv-collective names a slow rank and its slow pairs.
# shellcheck source-path=SCRIPTDIR source=../../lib.sh
source "$(dirname "$0")/../../lib.sh"

exits 1 worker --device cpu --local-ranks 4 --quick --suite straggler --inject slow@2:400
has_line stdout 'rank 2 .* took .* ms for the same work, .* times the median' "$out"
exits 1 worker --device cpu --local-ranks 4 --quick --suite p2p --samples 1 --inject slow@1:200 --json
has_line stdout 'slow pairs, .*: rank 0 .* -> rank 1' "$out"
# They are slow each time, and named after having been measured again.
all_say report '[l["params"]["measured_again"] >= 3 for l in d if l.get("suite") == "p2p"] == [True, True]' out
