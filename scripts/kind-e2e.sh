#!/usr/bin/env bash
# The chart on a kind cluster, from nothing to a request seen in the debugger (docs/helm.md).
#   scripts/kind-e2e.sh               makes a cluster, and deletes it at the end
#   scripts/kind-e2e.sh --existing    in the cluster of KUBECONFIG, which has the image
# Needs docker and kind (but with --existing), helm, kubectl, curl and Node 24.
# IMAGE, CLUSTER and NAMESPACE: other names than those below.
set -euo pipefail
cd "$(dirname "$0")/.."

image=${IMAGE:-kubechain:0.1.0}
case ${image##*/} in *:*) ;; *) image=$image:latest ;; esac
cluster=${CLUSTER:-kubechain-e2e}
namespace=${NAMESPACE:-planes}
existing=${1:-}
# Further flags of helm, for clusters without a default storage class; of docker build, for builds behind a proxy.
read -r -a helm_flags <<<"${HELM_FLAGS:-}"
read -r -a build_flags <<<"${DOCKER_BUILD_FLAGS:-}"
# Default: the node image of kind's own release.
read -r -a node_image <<<"${KIND_NODE_IMAGE:+--image $KIND_NODE_IMAGE}"
work=$(mktemp -d)
forwards=()
# What is to be taken away at the end.
made_cluster=false
installed=false

step() { printf '\n== %s\n' "$*"; }
fail() {
  printf '%s\n' "$*" >&2
  exit 1
}
finish() {
  local status=$?
  for pid in ${forwards[@]+"${forwards[@]}"}; do kill "$pid" 2>/dev/null || true; done
  if [ "$status" -ne 0 ] && $installed; then
    # Afterwards it is gone.
    # kubectl sorts objects of one kind only.
    kubectl -n "$namespace" get pods -o wide >&2 || true
    kubectl -n "$namespace" get events --sort-by=.metadata.creationTimestamp >&2 || true
  fi
  if $made_cluster; then
    kind delete cluster --name "$cluster" || true
  elif $installed; then
    helm uninstall plane --namespace "$namespace" --wait >/dev/null 2>&1 || true
  fi
  rm -rf "$work"
}
# Forwards a port of this machine, which the system chooses, and says which.
forward() {
  local log="$work/forward-${#forwards[@]}.log"
  # The process in the background makes it in its own time.
  : >"$log"
  kubectl -n "$namespace" port-forward "$1" ":$2" >"$log" 2>&1 &
  forwards+=($!)
  for _ in $(seq 300); do
    port=$(sed -n 's/^Forwarding from 127\.0\.0\.1:\([0-9]*\) .*/\1/p' "$log")
    [ -z "$port" ] || return 0
    sleep 0.1
  done
  cat "$log" >&2
  return 1
}
trap finish EXIT

case $existing in '' | --existing) ;; *) fail "usage: $0 [--existing]" ;; esac
needed=(helm kubectl curl node)
[ "$existing" = --existing ] || needed+=(docker kind)
for program in "${needed[@]}"; do command -v "$program" >/dev/null || fail "not installed: $program"; done
node -e 'process.exit(Number(process.versions.node.split(".")[0]) < 24 ? 1 : 0)' || fail "Node 24 is needed: $(node --version)"

if [ "$existing" != --existing ]; then
  clusters=$(kind get clusters)
  if grep -qxF "$cluster" <<<"$clusters"; then
    fail "there is a kind cluster $cluster already: CLUSTER=… names another, --existing uses the one of KUBECONFIG"
  fi
  step 'build the image'
  docker build -t "$image" ${build_flags[@]+"${build_flags[@]}"} .
  step 'create the cluster'
  made_cluster=true
  kind create cluster --name "$cluster" --wait 3m --kubeconfig "$work/kind.kubeconfig" \
    ${node_image[@]+"${node_image[@]}"}
  export KUBECONFIG="$work/kind.kubeconfig"
  step 'load the image'
  kind load docker-image "$image" --name "$cluster"
fi

step 'install and test'
install=(upgrade --install plane helm/kubechain --namespace "$namespace" --create-namespace --wait --timeout 5m
  --set "image.repository=${image%:*},image.tag=${image##*:}" ${helm_flags[@]+"${helm_flags[@]}"})
installed=true
helm "${install[@]}"
helm test plane --namespace "$namespace"

step 'a request'
secret() { kubectl -n "$namespace" get secret plane-kubechain-admin -o "jsonpath={.data.$1}" | base64 -d; }
secret kubeconfig-local >"$work/plane.kubeconfig"
forward service/plane-kubechain 443
inside=(kubectl --kubeconfig "$work/plane.kubeconfig" --server "https://127.0.0.1:$port")
"${inside[@]}" get namespaces
"${inside[@]}" create configmap seen --from-literal=a=b --dry-run=server -o name

step 'a request in the debugger of kube-apiserver'
without=$(kubectl -n "$namespace" get pods -l app.kubernetes.io/component=kube-apiserver -o name)
helm "${install[@]}" --set aggregator.inspect.enabled=true,kubeApiserver.inspect.enabled=true \
  --set-string 'kubeApiserver.extraArgs.debug-break-on=get namespaces'
# One that ends serves on for a while, and has no debugger.
# shellcheck disable=SC2086
kubectl -n "$namespace" wait --for=delete --timeout=2m $without
forward deployment/plane-kubechain-kube-apiserver 9230
debugger=$port
curl --silent --fail "http://127.0.0.1:$debugger/json/list" | grep -q webSocketDebuggerUrl
forward deployment/plane-kubechain-aggregator 6443
node scripts/kind-e2e-debugger.ts "http://127.0.0.1:$debugger" \
  kubectl --kubeconfig "$work/plane.kubeconfig" --server "https://127.0.0.1:$port" get --raw /api/v1/namespaces/default
step 'done'
