#!/usr/bin/env bash
# Does every query that a branch rewrites still mean what it meant?
#
#   examples/check_rewrites.sh BASE SCHEMA [PATHS...]
#   examples/check_rewrites.sh BEFORE SCHEMA AFTER
#
# Each .sql file (below PATHS, if given) that was changed since the commit BASE is held against what it was there, or each
# of the folder AFTER against that of its name in the folder BEFORE (what `dbt compile` writes, say). SCHEMA: DDL, a
# database (.sqlite, .db, .duckdb), or the URL of a PostgreSQL server. A file that one of the two alone has is listed as new
# or gone; a moved one is both. Exit code: 0 if all that were there are proved equivalent, else 1; undecided pairs and gone
# files fail too, unless EQUIV_UNDECIDED=pass. Where $GITHUB_STEP_SUMMARY is set, a table is appended to it.
set -euo pipefail

schema=$2
case $schema in
*.sqlite | *.db | *.duckdb | *://*) on=(--db "$schema") ;;
*) on=(--schema "$schema") ;;
esac
before=$(mktemp) notes=$(mktemp)
trap 'rm -f "$before" "$notes"' EXIT

if [ -d "$1" ]; then
    base=$1 after=$3/
    changed() { for at in "$base" "$after"; do (cd "$at" && find . -name '*.sql' -print0); done | sort -zu; }
    was() { cat "$base/$1" 2>/dev/null; }
else
    base=$(git merge-base "$1" HEAD) after=./
    shift 2
    paths=("$@")
    changed() { git diff -z --name-only --no-renames --diff-filter=AMD "$base" HEAD -- ${paths[@]+"${paths[@]}"}; }
    was() { git show "$base:$1" 2>/dev/null; }
fi

unproved() { [ "${EQUIV_UNDECIDED:-fail}" = pass ] || failed=1; }

failed=0 table=$'| query | verdict |\n|---|---|\n'
while IFS= read -r -d '' file; do
    file=${file#./}
    case $file in *.sql) ;; *) continue ;; esac
    [ "$file" = "$schema" ] && continue
    if ! was "$file" >"$before"; then
        said="new: nothing to hold it against"
    elif [ ! -e "$after$file" ]; then
        said="gone: it is no longer there"
        unproved
    elif cmp -s "$after$file" "$before"; then
        continue
    else
        code=0
        said=$(equiv check "$after$file" "$before" "${on[@]}" ${EQUIV_OPTIONS:-} 2>"$notes") || code=$?
        said+=$'\n'$(cat "$notes") said=${said#$'\n'}
        case $code in
        0) ;;
        3) unproved ;;
        *) failed=1 ;;
        esac
    fi
    printf '== %s\n%s\n\n' "$file" "$said"
    first=${said%%$'\n'*}
    table+="| ${file//|/\\|} | ${first//|/\\|} |"$'\n'
done < <(changed)

[ -z "${GITHUB_STEP_SUMMARY:-}" ] || printf '%s' "$table" >>"$GITHUB_STEP_SUMMARY"
exit "$failed"
