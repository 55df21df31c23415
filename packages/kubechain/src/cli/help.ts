/** What `kubechain --help` prints. */
export const HELP = `kubechain: a Kubernetes API server as three chained processes

Usage:
  kubechain up [flags]       run store and servers in the foreground until Ctrl-C
  kubechain --version
  kubechain --help

Flags of up:
      --data-dir DIR         certificates, kubeconfig, data and logs (default ".kubechain")
      --secure-port PORT     where clients connect, on 127.0.0.1 (default 6443)
      --etcd-servers URLS    use this etcd instead of the embedded store
      --only NAME            run one server alone: aggregator, kube-apiserver or apiextensions.
                             Others of the same data directory may run beside it; with
                             --secure-port it serves clients itself
      --controllers LIST     controllers to run beside the servers, as kube-controller-manager's flag:
                             NAME, -NAME, '*', or a group (default "lifecycle": namespaces, garbage
                             collection, service accounts, quotas, endpoints); "none" is the bare API
      --topology NAME        chain: a process for each server (default); all-in-one: all of them
                             on one thread, for tests and small machines
      --nodes N              nodes that are played, with a scheduler: pods get addresses, become Ready and
                             end without a container running; with it --controllers is '*'
      --inspect[=PORT]       Node inspectors on 127.0.0.1, on consecutive ports (default 9229)
  -h, --help                 this text

Every other flag is one of kube-apiserver and goes to the servers that know it, for example
  kubechain up --token-auth-file tokens.csv --authorization-mode RBAC -v 4

Logs are in DIR/logs.
`;
