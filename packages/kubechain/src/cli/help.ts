/** What `kubechain up --help` says besides. */
export const UP_HELP = `
Flags:
      --data-dir DIR         certificates, kubeconfig, data and logs (default ".kubechain")
      --secure-port PORT     where clients connect, on 127.0.0.1 (default 6443); 0 takes a free one
      --detach               return when it is ready; kubechain down ends it
      --output json          tell address and kubeconfig as one line of JSON
      --ready-timeout TIME   how long its processes may take to be ready (default 5m, and more where much is
                             stored); 0: as long as it takes. Who is not is told every 15 seconds
      --logs                 write what the processes log to standard output, too
      --etcd-servers URLS    use this etcd instead of the embedded store
      --quota-backend-bytes N
                             how much the embedded store may hold, as etcd's flag (default 2 GiB; below 0:
                             no bound); beyond it only deletions are made
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
      --control              serve the control API on a socket of DIR/run: kubechain snapshot, fault and
                             journal use it (for tests: who may use it may change everything)
      --seed N               repeat a run: the same uids, names, addresses, times and resourceVersions for the
                             same calls; the clock stands still until kubechain clock moves it; with it
                             comes --control
      --from-snapshot FILE   begin with what FILE holds, which kubechain snapshot write has written; with it
                             comes --control
      --ui[=PORT]            serve the page that shows what happens in the chain, on 127.0.0.1 (default: a
                             free port); with it comes --control, which the page drives
      --inspect[=PORT]       Node inspectors on 127.0.0.1, on consecutive ports (default 9229)
      --debug NAME           an inspector for one process (aggregator, kube-apiserver, apiextensions or
                             store), the others patient: what kubechain debug NAME does
      --break-on PATTERN     with --debug: stop at requests like 'create deployments.apps'
  -h, --help                 this text

Every other flag is one of kube-apiserver and goes to the servers that know it, for example
  kubechain up --token-auth-file tokens.csv --authorization-mode RBAC -v 4
kubechain flags tells of them by topic.

Logs are in DIR/logs.
`;

/** Flags of `up` that are its own. */
export const UP_FLAGS: readonly string[] = [
  'data-dir',
  'secure-port',
  'detach',
  'logs',
  'ready-timeout',
  'output',
  'etcd-servers',
  'quota-backend-bytes',
  'only',
  'controllers',
  'topology',
  'control',
  'seed',
  'from-snapshot',
  'ui',
  'inspect',
  'debug',
  'break-on',
];
