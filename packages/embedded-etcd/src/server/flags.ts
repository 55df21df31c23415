import { parseArgs } from 'node:util';
import { messageOf } from '@kubechain/apimachinery/message-of';

/** A command line that cannot be followed; the message is one line that names the flag. */
export class FlagError extends Error {
  override readonly name = 'FlagError';
}

/** The flags as given, checked. */
export interface Flags {
  readonly help: boolean;
  readonly dataFile: string;
  readonly listen: ListenAddress;
  readonly listenMetrics: { readonly host: string; readonly port: number } | undefined;
  readonly unsafeNoFsync: boolean;
  readonly certFile: string | undefined;
  readonly keyFile: string | undefined;
  readonly trustedCaFile: string | undefined;
  readonly clientCertAuth: boolean;
  readonly watchProgressNotifyIntervalMs: number | undefined;
  readonly quotaBytes: number;
}

/** Where to listen. */
export type ListenAddress =
  | { readonly kind: 'tcp'; readonly host: string; readonly port: number }
  | { readonly kind: 'unix'; readonly path: string };

/** What `--help` prints. */
export const USAGE = `Usage: embedded-etcd [flags]

An etcd v3 server over one SQLite file.

  --data-file FILE         the file that holds everything (default embedded-etcd.db)
  --listen ADDRESS         HOST:PORT or unix:PATH (default 127.0.0.1:2379; port 0 takes a free one)
  --listen-metrics-urls URL
                           http://HOST:PORT that serves health and metrics besides, without TLS, for probes
  --unsafe-no-fsync        do not wait for the disk: a power failure may lose the last writes
  --cert-file FILE         serving certificate: switches TLS on; it, the key and the authorities are read again
                           when they change
  --key-file FILE          its private key
  --trusted-ca-file FILE   authorities that sign client certificates
  --client-cert-auth       refuse clients without a certificate of those authorities
  --watch-progress-notify-interval DURATION
                           how often idle watches that asked for it are told the revision (default 10m)
  --quota-backend-bytes N  how much may be stored; beyond that only deletions are made (default 0: 2 GiB;
                           below: no bound)
  --help                   this text

When it serves it prints one line of JSON: {"endpoint":"http://127.0.0.1:2379","pid":1234}
`;

/** Reads the command line. @throws FlagError */
export function parseFlags(args: readonly string[]): Flags {
  const values = parse(args);
  const flags: Flags = {
    help: values.help ?? false,
    dataFile: values['data-file'] ?? 'embedded-etcd.db',
    listen: parseListen(values.listen ?? '127.0.0.1:2379'),
    listenMetrics: parseMetricsUrl(values['listen-metrics-urls']),
    unsafeNoFsync: values['unsafe-no-fsync'] ?? false,
    certFile: values['cert-file'],
    keyFile: values['key-file'],
    trustedCaFile: values['trusted-ca-file'],
    clientCertAuth: values['client-cert-auth'] ?? false,
    watchProgressNotifyIntervalMs: parseDuration(values['watch-progress-notify-interval']),
    quotaBytes: parseQuota(values['quota-backend-bytes']),
  };
  if (flags.dataFile === '') throw new FlagError('--data-file must not be empty');
  if ((flags.certFile === undefined) !== (flags.keyFile === undefined))
    throw new FlagError('--cert-file and --key-file must be given together');
  if (flags.clientCertAuth && flags.trustedCaFile === undefined)
    throw new FlagError('--client-cert-auth needs --trusted-ca-file');
  return flags;
}

const FLAGS = {
  help: { type: 'boolean', short: 'h' },
  'data-file': { type: 'string' },
  listen: { type: 'string' },
  'listen-metrics-urls': { type: 'string' },
  'unsafe-no-fsync': { type: 'boolean' },
  'cert-file': { type: 'string' },
  'key-file': { type: 'string' },
  'trusted-ca-file': { type: 'string' },
  'client-cert-auth': { type: 'boolean' },
  'watch-progress-notify-interval': { type: 'string' },
  'quota-backend-bytes': { type: 'string' },
} as const;

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: FLAGS, strict: true, allowPositionals: false }).values;
  } catch (error) {
    const message = messageOf(error);
    throw new FlagError(message.split('. ', 1)[0] ?? message);
  }
}

function parseListen(value: string): ListenAddress {
  if (value.startsWith('unix:')) return { kind: 'unix', path: value.slice('unix:'.length) };
  const match = /^(?:https?:\/\/)?(\[[^\]]+\]|[^:[\]/]*):(\d+)$/.exec(value);
  const port = Number(match?.[2]);
  if (match === null || port > 65535) throw new FlagError(`--listen "${value}" is not HOST:PORT or unix:PATH`);
  const host = (match[1] ?? '').replace(/^\[|\]$/g, '');
  return { kind: 'tcp', host: host === '' ? '::' : host, port };
}

function parseMetricsUrl(value: string | undefined): Flags['listenMetrics'] {
  if (value === undefined) return undefined;
  const address = value.startsWith('http://') ? parseListen(value.replace(/\/$/, '')) : undefined;
  if (address?.kind !== 'tcp') throw new FlagError(`--listen-metrics-urls "${value}" is not http://HOST:PORT`);
  return { host: address.host, port: address.port };
}

function parseQuota(value = '0'): number {
  if (!/^-?\d{1,15}$/.test(value)) throw new FlagError(`--quota-backend-bytes "${value}" is not a number of bytes`);
  return Number(value);
}

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

function parseDuration(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(value);
  const ms = match === null ? 0 : Number(match[1]) * (UNIT_MS[match[2] ?? ''] ?? 0);
  if (ms <= 0) throw new FlagError(`--watch-progress-notify-interval "${value}" is not a duration like 5s or 10m`);
  return ms;
}
