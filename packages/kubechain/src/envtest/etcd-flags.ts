import { join } from 'node:path';
import { LaunchError } from '../launch-error.ts';

/** etcd's flags that decide something here. */
const VALUES = [
  'data-dir',
  'listen-client-urls',
  'cert-file',
  'key-file',
  'trusted-ca-file',
  'experimental-watch-progress-notify-interval',
  'watch-progress-notify-interval',
  'listen-metrics-urls',
  'quota-backend-bytes',
] as const;
const BOOLEANS = ['unsafe-no-fsync', 'client-cert-auth'] as const;

/** etcd's flags of clusters, logs and tuning, which one store of its own needs not. True: they take a value. */
const WITHOUT_EFFECT: ReadonlyMap<string, boolean> = new Map([
  ...(
    [
      'name',
      'wal-dir',
      'snapshot-count',
      'heartbeat-interval',
      'election-timeout',
      'listen-peer-urls',
      'advertise-client-urls',
      'initial-advertise-peer-urls',
      'initial-cluster',
      'initial-cluster-state',
      'initial-cluster-token',
      'listen-client-http-urls',
      'max-snapshots',
      'max-wals',
      'backend-batch-interval',
      'backend-batch-limit',
      'max-txn-ops',
      'max-request-bytes',
      'max-concurrent-streams',
      'grpc-keepalive-min-time',
      'grpc-keepalive-interval',
      'grpc-keepalive-timeout',
      'auto-compaction-retention',
      'auto-compaction-mode',
      'log-level',
      'logger',
      'log-outputs',
      'log-format',
      'metrics',
      'cors',
      'host-whitelist',
      'peer-cert-file',
      'peer-key-file',
      'peer-trusted-ca-file',
      'cipher-suites',
      'tls-min-version',
      'tls-max-version',
      'socket-reuse-address',
      'experimental-initial-corrupt-check',
      'feature-gates',
    ] as const
  ).map((name) => [name, true] as const),
  ...(['peer-client-cert-auth', 'strict-reconfig-check', 'enable-pprof', 'pre-vote', 'force-new-cluster'] as const).map(
    (name) => [name, false] as const,
  ),
]);

/** What is left of etcd's command line: flags of the embedded store's own program; or what it only prints. */
export type EtcdCommand =
  | { readonly kind: 'help' }
  | { readonly kind: 'version' }
  | { readonly kind: 'serve'; readonly dataDir: string; readonly args: readonly string[] };

/** Reads etcd's command line. @throws LaunchError `Usage` in etcd's words */
export function readEtcdFlags(args: readonly string[]): EtcdCommand {
  const values = new Map<string, string>();
  for (let index = 0; index < args.length; index++) {
    const argument = args[index]!;
    const [, name = '', inline] = /^--?([^=]+)(?:=(.*))?$/s.exec(argument) ?? [];
    if (name === '') throw new LaunchError('Usage', `'${argument}' is not a valid flag`);
    if (name === 'help' || name === 'h') return { kind: 'help' };
    if (name === 'version') return { kind: 'version' };
    const boolean = (BOOLEANS as readonly string[]).includes(name) || WITHOUT_EFFECT.get(name) === false;
    if (!boolean && !(VALUES as readonly string[]).includes(name) && !WITHOUT_EFFECT.has(name))
      throw new LaunchError('Usage', `flag provided but not defined: -${name}`);
    const value = inline ?? (boolean ? 'true' : args[++index]);
    if (value === undefined) throw new LaunchError('Usage', `flag needs an argument: -${name}`);
    values.set(name, value);
  }
  const dataDir = values.get('data-dir') ?? `${values.get('name') ?? 'default'}.etcd`;
  return { kind: 'serve', dataDir, args: storeArgs(values, dataDir) };
}

function storeArgs(values: ReadonlyMap<string, string>, dataDir: string): string[] {
  const [listen = '', ...more] = (values.get('listen-client-urls') ?? 'http://localhost:2379').split(',');
  if (more.length > 0) throw new LaunchError('Usage', '--listen-client-urls: one address is served');
  const own = [
    'cert-file',
    'key-file',
    'trusted-ca-file',
    'listen-metrics-urls',
    'watch-progress-notify-interval',
    'quota-backend-bytes',
  ];
  const interval = values.get('experimental-watch-progress-notify-interval');
  return [
    `--data-file=${join(dataDir, 'kubechain.db')}`,
    `--listen=${listen
      .replace(/^unixs?:\/\//, 'unix:')
      .replace(/\/$/, '')
      .replace('//localhost:', '//127.0.0.1:')}`,
    ...own.flatMap((name) => (values.has(name) ? [`--${name}=${values.get(name)}`] : [])),
    ...(interval === undefined ? [] : [`--watch-progress-notify-interval=${interval}`]),
    ...BOOLEANS.filter((name) => values.get(name) === 'true').map((name) => `--${name}`),
  ];
}

/** What `etcd --help` prints. */
export const ETCD_HELP = `Usage:

  etcd [flags]
    Start the embedded store of kubechain under etcd's flags.

  --data-dir 'default.etcd'                         where data is kept
  --listen-client-urls 'http://localhost:2379'      where clients connect
  --cert-file, --key-file, --trusted-ca-file        certificates
  --client-cert-auth 'false'                        refuse clients without a certificate
  --unsafe-no-fsync 'false'                         do not wait for the disk
  --listen-metrics-urls, --watch-progress-notify-interval, --quota-backend-bytes
  -version

Without effect here, since one store has no peers: ${[...WITHOUT_EFFECT.keys()].map((name) => `--${name}`).join(', ')}
`;
