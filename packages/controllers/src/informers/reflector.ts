import { sleep, Backoff, isGone, isResourceExpired, type KubeObject, type TimerClock } from '@kubechain/apimachinery';
import type { ResourceClient } from '../client/resource-client.ts';
import type { InformerEnd } from './informer-ends.ts';

/** What a reflector keeps up to date; called in order. */
export interface ReflectorStore<T> {
  /** A list begins. */
  list(): Listing<T>;
  set(object: T): void;
  delete(object: T): void;
}

/** A list that is read; one that breaks off is never ended, and changes nothing. */
export interface Listing<T> {
  add(object: T): void;
  /** What was added is all there is. The watch begins once this is done. */
  end(): Promise<void>;
}

export interface ReflectorOptions<T extends object> {
  readonly resource: ResourceClient<T>;
  readonly store: ReflectorStore<T>;
  readonly clock: TimerClock;
  readonly random: () => number;
  readonly namespace?: string | undefined;
  readonly fieldSelector?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly metadataOnly?: boolean | undefined;
  /** A list or a watch failed and is tried again. */
  readonly onError?: (error: unknown) => void;
  /** A watch has ended; once for each. */
  readonly onEnd?: ((end: InformerEnd) => void) | undefined;
}

/**
 * client-go: 800 ms doubled to 30 s, each up to twice as long at random, forgotten after two minutes without failure.
 */
const FIRST_BACKOFF_MS = 800;
const MAX_BACKOFF_MS = 30_000;
const RESET_AFTER_MS = 120_000;
/** Watches are taken up again after five to ten minutes. */
const MIN_WATCH_SECONDS = 300;

/**
 * Follows a resource: lists it, then watches from the list's version; a watch that ends is taken up where it was, and
 * when the server no longer has that history (410) everything is listed again.
 */
export async function reflect<T extends object>(options: ReflectorOptions<T>, signal: AbortSignal): Promise<void> {
  const { clock, random, store, onError } = options;
  const backoff = new Backoff({
    firstMs: FIRST_BACKOFF_MS,
    longestMs: MAX_BACKOFF_MS,
    jitter: { part: 1, random },
  });
  let version: string | undefined;
  // From any state the server has in memory; only after it was lost, from the newest.
  let listFrom = '0';
  let failedAtMs = clock.now();
  let watching = false;
  while (!signal.aborted) {
    try {
      if (version === undefined) {
        const listing = store.list();
        const { resourceVersion = '0' } = await listOnce(options, {
          resourceVersion: listFrom,
          signal,
          visit: (item) => listing.add(item),
        });
        await listing.end();
        version = resourceVersion;
      }
      watching = true;
      version = await watchOnce(options, { version, signal, onVersion: (seen) => (version = seen) });
      watching = false;
      options.onEnd?.(signal.aborted ? 'stopped' : 'server_ended');
    } catch (error) {
      const expired = isGone(error) || isResourceExpired(error);
      if (watching) options.onEnd?.(signal.aborted ? 'stopped' : expired ? 'expired' : 'failed');
      watching = false;
      if (signal.aborted) return;
      if (expired) {
        // Twice in a row, the memory itself is too old: then from the store.
        listFrom = version === undefined ? '' : '0';
        version = undefined;
      } else onError?.(error);
      if (clock.now() - failedAtMs > RESET_AFTER_MS) backoff.reset();
      failedAtMs = clock.now();
      await sleep(clock, backoff.next(), signal);
    }
  }
}

async function listOnce<T extends object>(
  options: ReflectorOptions<T>,
  {
    visit,
    ...at
  }: { readonly resourceVersion: string; readonly signal: AbortSignal; readonly visit: (item: T) => void },
): Promise<{ readonly resourceVersion?: string }> {
  const { resource, namespace, fieldSelector, labelSelector, metadataOnly } = options;
  return resource.each(
    { namespace, fieldSelector, labelSelector, ...(metadataOnly === true ? { metadataOnly } : {}), ...at },
    visit,
  );
}

/** Resolves with the version to go on from when the server ends the watch in order. */
async function watchOnce<T extends object>(
  options: ReflectorOptions<T>,
  at: { readonly version: string; readonly signal: AbortSignal; readonly onVersion: (version: string) => void },
): Promise<string> {
  const { resource, namespace, fieldSelector, labelSelector, metadataOnly, random, store } = options;
  let { version } = at;
  const events = await resource.watch({
    namespace,
    fieldSelector,
    labelSelector,
    ...(metadataOnly === true ? { metadataOnly } : {}),
    resourceVersion: version,
    allowWatchBookmarks: true,
    timeoutSeconds: Math.floor(MIN_WATCH_SECONDS * (1 + random())),
    signal: at.signal,
  });
  for await (const event of events) {
    switch (event.type) {
      case 'ADDED':
      case 'MODIFIED':
        store.set(event.object);
        break;
      case 'DELETED':
        store.delete(event.object);
        break;
      case 'BOOKMARK':
        break;
      default:
        event satisfies never;
    }
    version = (event.object as KubeObject).metadata?.resourceVersion ?? version;
    at.onVersion(version);
  }
  return version;
}
