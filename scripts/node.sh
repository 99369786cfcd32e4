#!/bin/sh
# Runs a program of this checkout: sh scripts/node.sh ops/cli.ts start
# Gets from any Node on the machine (>= 20) to Node 24 with the right flags. prepare.mjs installs what is missing and prints the Node
# to use on standard output. The last line is an exec, so a signal to this pid reaches the program itself.
set -f
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P) || exit 1
program=$1
shift

# npm puts node_modules/.bin first in PATH; the Node in it may be missing, or built for another machine.
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

# Later starts reuse the stripped and compiled code, which takes half of a start. Node checks each entry against the file's content.
export NODE_COMPILE_CACHE="${NODE_COMPILE_CACHE:-$root/.cache/compile}"

# A push gateway with a process of its own works within less memory. Settings of the caller take precedence.
if [ "$program $*" = 'ops/cli.ts start ingest' ]; then
  while IFS='=' read -r name value; do
    case $name in
      '#'*) ;;
      *) printenv "$name" > /dev/null || export "$name=$value" ;;
    esac
  done < "$root/ops/service/gateway-memory.env"
fi

# kafkajs computes a negative timeout on Node 24, once a millisecond while idle; the warning is known and harmless.
# A member named __proto__ in a pushed body must not reach a prototype, even through a library.
# V8's own limit for the young generation takes 100 MiB more and serves more slowly. Node's default of four threads for V8 takes most of two
# processors during a collection (docs/operations.md#memory-of-a-process).
exec "$node" --max-semi-space-size=16 --v8-pool-size=0 --disable-proto=delete --disable-warning=TimeoutNegativeWarning --disable-warning=ExperimentalWarning "$root/$program" "$@"
