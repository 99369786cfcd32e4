#!/bin/sh
# Runs a program of this checkout: sh scripts/node.sh ops/cli.ts start
# Owns the way from whatever Node the machine has (>= 20) to Node 24 and its flags. Installing is prepare.mjs, which says on
# standard output which Node to use. The last line is an exec: a signal sent to this pid reaches the program itself.
set -f
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P) || exit 1
program=$1
shift

# npm puts node_modules/.bin first in PATH; the Node in there may be gone, or not be made for this machine.
system=
IFS=:
for directory in $PATH; do
  case $directory in
    *node_modules/.bin | *node-gyp-bin) ;;
    *) if [ -x "$directory/node" ] && [ ! -d "$directory/node" ]; then system=$directory/node; break; fi ;;
  esac
done
unset IFS

node=$("${system:-node}" "$root/scripts/prepare.mjs" "$program") || exit $?

# Stripped and compiled once, read again by later starts: half of a start is that. Node checks each entry against the file's content.
export NODE_COMPILE_CACHE="${NODE_COMPILE_CACHE:-$root/.cache/compile}"

# kafkajs computes a negative timeout on Node 24, once a millisecond while idle; the warning is known and harmless.
# A key of a pushed body that is named __proto__ reaches no prototype, in no library either.
exec "$node" --disable-proto=delete --disable-warning=TimeoutNegativeWarning --disable-warning=ExperimentalWarning "$root/$program" "$@"
