#!/usr/bin/env bash
# Runs groups of kubectl's own suite (test/cmd of Kubernetes' module) against a server that runs already.
#   run-groups.sh FOLDER [GROUP...]
# FOLDER: a copy of the module's scripts, and bin/ with the programs; the working directory. No group: all.
# Environment: SECURE_API_PORT, TMPDIR (with apiserver.crt, which the suite looks at), KUBE_JUNIT_REPORT_DIR.
# The server takes the token admin-token. Each group is told by `Recording: NAME`, a failed one by `Error when running NAME`.
set -o errexit -o nounset -o pipefail
folder=$1
shift
cd "$folder"
export WHAT="$*" ALLOW_SKEW=1 ARTIFACTS=

# shellcheck source=/dev/null
source hack/lib/init.sh
# Nothing is built here.
make() { :; }
export THIS_PLATFORM_BIN=$folder/bin
# shellcheck source=/dev/null
source hack/lib/test.sh
# shellcheck source=/dev/null
source test/cmd/legacy-script.sh
# The store is not the suite's.
kube::etcd::start() { :; }
kube::etcd::cleanup() { :; }

setup
kube::util::wait_for_url_with_bearer_token "https://127.0.0.1:${SECURE_API_PORT}/healthz" admin-token server
# A node that nobody runs, as the suite wants one.
kubectl create -f - <<'NODE'
apiVersion: v1
kind: Node
metadata:
  name: 127.0.0.1
  annotations: { save-managers: "true" }
status:
  capacity: { memory: 1Gi }
NODE
export SUPPORTED_RESOURCES=("*")
runTests
