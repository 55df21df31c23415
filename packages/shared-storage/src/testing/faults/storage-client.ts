import { append } from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import { isStorageError } from '../../storage/errors.ts';
import type { StorageErrorCode } from '../../storage/errors.ts';
import type { ListResult, ObjectRecord, StorageInterface, WatchEvent } from '../../storage/interfaces.ts';
import { pod } from '../contract/pods.ts';
import { labelIs } from '../contract/predicates.ts';
import { PassingFailure } from './fault-client.ts';
import type { FaultClient, FaultWatchSink, Snapshot } from './fault-client.ts';
import type { Change } from './timeline.ts';
import type { Outcome } from './write-log.ts';

/** What a storage may answer while its etcd cannot be reached, is slow, or was away. */
const PASSING: readonly StorageErrorCode[] = [
  'Unreachable',
  'Timeout',
  'NotReady',
  'Aborted',
  'TooLargeResourceVersion',
];
const selection = labelIs('selected', 'yes');
const PAGE = 3;

/** The labels that name a write. */
export function writeLabels(content: { readonly write: string; readonly selected: boolean }): Record<string, string> {
  return { write: content.write, selected: content.selected ? 'yes' : 'no' };
}

/** A change as an event of objects with `writeLabels` tells it. */
export function changeOf(event: Extract<WatchEvent, { readonly record: ObjectRecord }>): Change {
  const {
    attributes: { name, labels },
    revision,
  } = event.record;
  return { type: event.type, revision, name, write: labels?.['write'] ?? '', selected: labels?.['selected'] === 'yes' };
}

/** A storage used under faults; its objects are pods of one namespace. */
export class StorageFaultClient implements FaultClient {
  readonly name: string;
  readonly #storage: StorageInterface;
  readonly #prefix: string;
  readonly #verify: (() => Promise<void>) | undefined;
  readonly #close: () => Promise<void>;

  /** @param options.prefix of the objects' keys, ending in "/" */
  constructor(
    name: string,
    storage: StorageInterface,
    options: { readonly prefix: string; readonly verify?: () => Promise<void>; readonly close: () => Promise<void> },
  ) {
    this.name = name;
    this.#storage = storage;
    this.#prefix = options.prefix;
    this.#verify = options.verify;
    this.#close = options.close;
  }

  async put(name: string, content: { readonly write: string; readonly selected: boolean }): Promise<Outcome> {
    const object: KubeObject = pod(name, { labels: writeLabels(content) });
    try {
      const { revision } = await this.#storage.guaranteedUpdate(`${this.#prefix}${name}`, () => ({ object }), {
        ignoreNotFound: true,
      });
      return { kind: 'acknowledged', revision };
    } catch (error) {
      return unknownIfPassing(error);
    }
  }

  async delete(name: string): Promise<Outcome> {
    try {
      const { revision } = await this.#storage.delete(`${this.#prefix}${name}`);
      return { kind: 'acknowledged', revision };
    } catch (error) {
      return isStorageError(error, 'KeyNotFound') ? { kind: 'absent' } : unknownIfPassing(error);
    }
  }

  async get(name: string): Promise<string | undefined> {
    try {
      const record = await this.#storage.get(`${this.#prefix}${name}`, { ignoreNotFound: true });
      return record?.attributes.labels?.['write'];
    } catch (error) {
      throw passing(error);
    }
  }

  async list(
    how: 'consistent' | 'paged' | 'anyState',
    options: { readonly selectedOnly?: boolean } = {},
  ): Promise<Snapshot> {
    const predicate = options.selectedOnly === true ? { predicate: selection } : {};
    try {
      const items: ObjectRecord[] = [];
      let page: ListResult | undefined;
      do {
        page = await this.#storage.getList(this.#prefix, {
          ...predicate,
          ...(how === 'anyState' ? { resourceVersion: '0' } : {}),
          ...(how === 'paged' ? { limit: PAGE } : {}),
          ...(page === undefined ? {} : { continue: page.continue }),
        });
        append(items, page.items);
      } while (page.continue !== '');
      return {
        revision: Number(page.resourceVersion),
        items: items.map(({ attributes: { name, labels } }) => [name, labels?.['write'] ?? ''] as const),
      };
    } catch (error) {
      // Only pages can find their moment compacted away.
      throw how === 'paged' && isStorageError(error, 'ResourceExpired')
        ? new PassingFailure(error.message, { cause: error })
        : passing(error);
    }
  }

  async watch(
    options: { readonly from: number; readonly selectedOnly: boolean; readonly signal: AbortSignal },
    sink: FaultWatchSink,
  ): Promise<'ended' | 'expired'> {
    const { promise, resolve, reject } = Promise.withResolvers<'ended' | 'expired'>();
    let end: 'ended' | 'expired' = 'ended';
    let failure: unknown;
    try {
      await this.#storage.watch(
        this.#prefix,
        {
          resourceVersion: String(options.from),
          allowWatchBookmarks: true,
          signal: options.signal,
          ...(options.selectedOnly ? { predicate: selection } : {}),
        },
        {
          event: (event) => {
            try {
              if (event.type === 'BOOKMARK') sink.bookmark(event.revision);
              else if (event.type !== 'ERROR') sink.change(changeOf(event));
              else if (isStorageError(event.error, 'ResourceExpired') || lostPrevious(event.error)) end = 'expired';
              else failure ??= passing(event.error);
            } catch (error) {
              failure ??= error;
            }
            return true;
          },
          end: () => {
            if (failure === undefined) resolve(end);
            else reject(failure as Error);
          },
        },
      );
    } catch (error) {
      if (isStorageError(error, 'ResourceExpired')) return 'expired';
      throw passing(error);
    }
    return promise;
  }

  async verify(): Promise<void> {
    await this.#verify?.();
  }

  close(): Promise<void> {
    return this.#close();
  }
}

/**
 * The event at the very revision that was compacted has lost the state before it. etcd sends it all the same, and a
 * store says so with this error, as upstream's (etcd3/watcher.go).
 */
function lostPrevious(error: Error): boolean {
  return isStorageError(error, 'Internal') && error.message.startsWith('etcd event received with PrevKv=nil');
}

function unknownIfPassing(error: unknown): Outcome {
  const failure = passing(error);
  if (failure instanceof PassingFailure) return { kind: 'unknown', why: failure.message };
  throw failure;
}

/** The failure as load expects it: passing, or as it is. */
function passing(error: unknown): unknown {
  return isStorageError(error) && PASSING.includes(error.code)
    ? new PassingFailure(error.message, { cause: error })
    : error;
}
