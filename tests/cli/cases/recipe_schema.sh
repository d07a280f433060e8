#!/usr/bin/env bash
# The published schema of recipes is that of the present options, and the examples conform to it.
# shellcheck source=tests/cli/check.sh
source "$(dirname "$0")/../check.sh"

"$RV" --recipe-schema >"$work/schema.json"
diff "$root/docs/recipe.schema.json" "$work/schema.json" ||
  wrong "docs/recipe.schema.json is not that of the options: write it with rv --recipe-schema"
for recipe in "$root"/examples/recipes/*.yaml; do
  python3 - "$work/schema.json" "$recipe" <<'PY' || wrong "$recipe does not conform"
import json, sys
import jsonschema, yaml
jsonschema.Draft202012Validator(json.load(open(sys.argv[1]))).validate(yaml.safe_load(open(sys.argv[2])))
PY
done
