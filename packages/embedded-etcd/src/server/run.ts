import { readFileSync } from 'node:fs';
import { messageOf } from '@kubechain/apimachinery/message-of';
import type { TimerClock } from '@kubechain/apimachinery/movable-clock';
import { DataFileError } from '../mvcc/data-file-error.ts';
import type { Flags } from './flags.ts';
import { FlagError } from './flags.ts';
import type { EmbeddedEtcdOptions } from './options.ts';
import type { TlsOptions } from './tls-options.ts';
import type { EmbeddedEtcd } from './start.ts';
import { HealthListenerError, startEmbeddedEtcd } from './start.ts';

/** Starts what the flags describe. @throws FlagError naming the flag that cannot be followed */
export async function run(flags: Flags, clock?: TimerClock): Promise<EmbeddedEtcd> {
  const tls = readTls(flags);
  const { listen } = flags;
  const options: EmbeddedEtcdOptions = {
    dataFile: flags.dataFile,
    unsafeNoFsync: flags.unsafeNoFsync,
    quotaBytes: flags.quotaBytes,
    ...(clock === undefined ? {} : { clock }),
    ...(listen.kind === 'unix' ? { socketPath: listen.path } : { host: listen.host, port: listen.port }),
    ...(tls === undefined ? {} : { tls }),
    ...(flags.listenMetrics === undefined ? {} : { healthAddress: flags.listenMetrics }),
    ...(flags.watchProgressNotifyIntervalMs === undefined
      ? {}
      : { watchProgressNotifyIntervalMs: flags.watchProgressNotifyIntervalMs }),
  };
  try {
    return await startEmbeddedEtcd(options);
  } catch (error) {
    throw explain(error, flags);
  }
}

function readTls(flags: Flags): TlsOptions | undefined {
  if (flags.certFile === undefined || flags.keyFile === undefined) return undefined;
  return {
    cert: readFile('--cert-file', flags.certFile),
    key: readFile('--key-file', flags.keyFile),
    ...(flags.trustedCaFile === undefined ? {} : { trustedCa: readFile('--trusted-ca-file', flags.trustedCaFile) }),
    clientCertAuth: flags.clientCertAuth,
    files: { certFile: flags.certFile, keyFile: flags.keyFile, trustedCaFile: flags.trustedCaFile },
  };
}

function readFile(flag: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new FlagError(`${flag}: cannot read ${path}: ${messageOf(error)}`, { cause: error });
  }
}

function explain(error: unknown, flags: Flags): FlagError {
  if (error instanceof DataFileError) return new FlagError(`--data-file: ${error.message}`, { cause: error });
  const code = (error as { code?: unknown }).code;
  if (error instanceof HealthListenerError)
    return new FlagError(
      `--listen-metrics-urls: cannot listen on ${flags.listenMetrics?.host}:${flags.listenMetrics?.port}: ` +
        `${error.message}`,
      { cause: error },
    );
  const where = flags.listen.kind === 'unix' ? flags.listen.path : `${flags.listen.host}:${flags.listen.port}`;
  if (code === 'EADDRINUSE') return new FlagError(`--listen: ${where} is already in use`, { cause: error });
  if (typeof code === 'string' && (code.startsWith('ERR_SSL') || code.startsWith('ERR_OSSL'))) {
    return new FlagError(`--cert-file, --key-file: not a usable certificate and key: ${messageOf(error)}`, {
      cause: error,
    });
  }
  return new FlagError(`--listen: cannot listen on ${where}: ${messageOf(error)}`, { cause: error });
}
