#!/usr/bin/env bash
# Sets up what is missing, builds the program and runs it with the arguments given:
#
#   ./run.sh                 opens the window (without a display: renders the first lesson and says where)
#   ./run.sh list            and all other commands; ./run.sh --help shows them
#
# Works on Debian 12 and Ubuntu 24.04, as root or with sudo. Completed steps are not repeated.
set -euo pipefail
caller=$PWD
cd "$(dirname "${BASH_SOURCE[0]}")"
. app/setup/setup.sh
set_up build
build release lanescope
program=$PWD/build/release/lanescope
cd "$caller"
exec "$program" "$@"
