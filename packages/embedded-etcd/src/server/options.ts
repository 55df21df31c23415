import type { StoreImage } from '../mvcc/store-image.ts';
import type { TimerClock } from '@kubechain/apimachinery/movable-clock';
import { storeClock, type StoreClock } from '../clock/store-clock.ts';
import type { TlsOptions } from './tls-options.ts';

/** How to run the store; only the file is needed. */
export interface EmbeddedEtcdOptions {
  /** The SQLite file; created when it is not there. Its `-wal` neighbour belongs to it. */
  readonly dataFile: string;
  /** Default 127.0.0.1. */
  readonly host?: string;
  /** Default 0: any free port. */
  readonly port?: number;
  /** Listen on a unix socket instead of a port. */
  readonly socketPath?: string;
  /**
   * Do not wait for the disk: a power failure may lose the last writes, a crash of the process loses nothing. Default
   * false.
   */
  readonly unsafeNoFsync?: boolean;
  readonly tls?: TlsOptions;
  /** Where health and metrics are served over plain HTTP besides; default: nowhere. */
  readonly healthAddress?: { readonly host: string; readonly port: number };
  /**
   * How often watches that asked for progress notifications get one while nothing happens. Default 10 minutes, as in
   * etcd.
   */
  readonly watchProgressNotifyIntervalMs?: number;
  /** Memory for values of current keys; the rest is read from the file. Default 16 MiB. */
  readonly valueCacheBytes?: number;
  /** What may be stored, in bytes, as etcd's `--quota-backend-bytes`. Default 0: 2 GiB; below: no bound. */
  readonly quotaBytes?: number;
  /** What a store in memory begins with, in place of nothing. */
  readonly image?: StoreImage;
  /** Default: the machine's times. */
  readonly clock?: TimerClock;
}

/** Options with every default filled in. */
export interface CompletedEmbeddedEtcdOptions {
  readonly dataFile: string;
  readonly host: string;
  readonly port: number;
  readonly socketPath: string | undefined;
  readonly unsafeNoFsync: boolean;
  readonly healthAddress: { readonly host: string; readonly port: number } | undefined;
  readonly tls: (TlsOptions & { readonly clientCertAuth: boolean }) | undefined;
  readonly watchProgressNotifyIntervalMs: number;
  readonly valueCacheBytes: number;
  readonly quotaBytes: number;
  readonly image: StoreImage | undefined;
  readonly clock: StoreClock;
}

const TEN_MINUTES_MS = 600_000;
const DEFAULT_VALUE_CACHE_BYTES = 16 * 1024 * 1024;

/** Fills in the defaults. */
export function completeOptions(options: EmbeddedEtcdOptions): CompletedEmbeddedEtcdOptions {
  return {
    dataFile: options.dataFile,
    host: options.host ?? '127.0.0.1',
    port: options.port ?? 0,
    socketPath: options.socketPath,
    unsafeNoFsync: options.unsafeNoFsync ?? false,
    tls:
      options.tls === undefined ? undefined : { ...options.tls, clientCertAuth: options.tls.clientCertAuth ?? false },
    healthAddress: options.healthAddress,
    watchProgressNotifyIntervalMs: options.watchProgressNotifyIntervalMs ?? TEN_MINUTES_MS,
    valueCacheBytes: options.valueCacheBytes ?? DEFAULT_VALUE_CACHE_BYTES,
    quotaBytes: options.quotaBytes ?? 0,
    image: options.image,
    clock: storeClock(options.clock),
  };
}
