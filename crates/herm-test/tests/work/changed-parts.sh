#!/usr/bin/env bash
# Builds the parts of a repository that a branch touches.
set -euo pipefail
base=${1:-origin/main}
touched=$(git diff --name-only "$base"...HEAD)
parts=()
skipped=()
while IFS= read -r file; do
  case "$file" in
    web/*|packages/ui/*) parts+=(web) ;;
    api/*)               parts+=(api) ;;
    worker/*)            parts+=(worker api) ;;
    *.md|docs/*)         skipped+=("$file") ;;
    "")                  ;;
    *)                   parts+=(all) ;;
  esac
done <<< "$touched"
if [ ${#parts[@]} -eq 0 ]; then
  echo "nothing to build (${#skipped[@]} documents changed)"
  exit 0
fi
for part in $(printf '%s\n' "${parts[@]}" | sort -u); do
  echo "== $part"
  make "build-$part"
  make "test-$part" || { echo "failed: $part" >&2; exit 1; }
done
