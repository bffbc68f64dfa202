#!/usr/bin/env bash
# build_preset.sh PRESET TARGET...: one build as a test, of which ctest shows the log if it fails.
set -euo pipefail

# shellcheck source=tools/setup.sh
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"
lock_builds
build "$@"
