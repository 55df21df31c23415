import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GroupVersion } from '@kubechain/apimachinery';
import type { APIResource } from './api-resource.ts';
import type { DiscoveryManager } from './discovery-manager.ts';

/** One group version as it goes from process to process. */
export interface FedGroupVersion extends GroupVersion {
  readonly resources: readonly APIResource[];
  /** As GroupVersionOptions: custom resources. */
  readonly qualifiedKinds?: boolean;
}

/** A change of what a process and those behind it serve. The first one is complete: what it does not name is gone. */
export interface DiscoveryUpdate {
  readonly complete?: boolean;
  readonly set: readonly FedGroupVersion[];
  readonly removed: readonly GroupVersion[];
  /** Whether the heap of the process, or of one behind it, has no room for more objects; absent: as before, or it has. */
  readonly full?: boolean;
  /** Everybody behind the process has told what they serve; absent: as before. */
  readonly whole?: boolean;
}

/** Where the feed of a server is read by the process in front: one JSON line an update, without end. */
export const discoveryFeedPath = '/.kubechain/discovery';

/**
 * Pushes discovery to the process in front: what this server serves (`own`) and what those behind it do (`delegated`).
 *
 *     own ──────┐
 *               ├─ changes, gathered for one turn of the event loop ─► subscribers (the stream of the process in front)
 *     delegated ┘
 *
 * A subscriber gets the complete state first. Updates are small (one per changed group version), so that a thousand
 * CRDs cost a thousand small lines.
 */
export class DiscoveryFeed {
  readonly #managers: readonly DiscoveryManager[];
  readonly #subscribers = new Set<(update: DiscoveryUpdate) => void>();
  readonly #stops: readonly (() => void)[];
  readonly #changed = new Map<string, GroupVersion>();
  #scheduled = false;
  #full = false;
  #whole = false;

  /** Where both managers have a group version, the first one's counts. */
  constructor(own: DiscoveryManager, delegated: DiscoveryManager) {
    this.#managers = [own, delegated];
    this.#stops = this.#managers.map((manager) =>
      manager.onChange(({ groupVersion }) => {
        this.#note(groupVersion);
      }),
    );
  }

  /** Calls `listener` with the complete state now and with each change later. Returns the way to stop that. */
  subscribe(listener: (update: DiscoveryUpdate) => void): () => void {
    const known = new Map<string, GroupVersion>();
    for (const manager of this.#managers)
      for (const groupVersion of manager.groupVersions()) known.set(keyOf(groupVersion), groupVersion);
    this.#subscribers.add(listener);
    listener({
      complete: true,
      ...this.#state(known.values()),
      ...(this.#full ? { full: true } : {}),
      ...(this.#whole ? { whole: true } : {}),
    });
    return () => {
      this.#subscribers.delete(listener);
    };
  }

  /**
   * Answers with the stream; it ends when the client goes away, or when `signal` aborts: this server is going away, and
   * readers come back to its successor.
   */
  serve(request: IncomingMessage, response: ServerResponse, signal: AbortSignal): void {
    response.writeHead(200, { 'content-type': 'application/json;stream=discovery' });
    // Updates are few and small; a reader that does not read is cut by its own process ending.
    const stop = this.subscribe((update) => {
      response.write(`${JSON.stringify(update)}\n`);
    });
    const end = (): void => {
      response.end();
    };
    signal.addEventListener('abort', end, { once: true });
    response.once('close', () => {
      stop();
      signal.removeEventListener('abort', end);
    });
    if (signal.aborted) end();
    request.resume();
  }

  /** Tells whether there is no room for more objects, here or behind. */
  tellFull(full: boolean): void {
    this.#full = full;
    for (const subscriber of this.#subscribers) subscriber({ set: [], removed: [], full });
  }

  /** Tells that everybody behind this server has told what they serve, behind what they did tell. */
  tellWhole(): void {
    queueMicrotask(() => {
      if (this.#whole) return;
      this.#whole = true;
      for (const subscriber of this.#subscribers) subscriber({ set: [], removed: [], whole: true });
    });
  }

  /** Stops following the managers. */
  close(): void {
    for (const stop of this.#stops) stop();
    this.#subscribers.clear();
  }

  #note(groupVersion: GroupVersion): void {
    this.#changed.set(keyOf(groupVersion), groupVersion);
    if (this.#scheduled) return;
    this.#scheduled = true;
    queueMicrotask(() => {
      this.#scheduled = false;
      const update = this.#state(this.#changed.values());
      this.#changed.clear();
      for (const subscriber of this.#subscribers) subscriber(update);
    });
  }

  #state(groupVersions: Iterable<GroupVersion>): DiscoveryUpdate {
    const set: FedGroupVersion[] = [];
    const removed: GroupVersion[] = [];
    for (const { group, version } of groupVersions) {
      const manager = this.#managers.find((candidate) => candidate.resources({ group, version }) !== undefined);
      if (manager === undefined) removed.push({ group, version });
      else
        set.push({
          group,
          version,
          resources: manager.resources({ group, version }) ?? [],
          ...(manager.hasQualifiedKinds({ group, version }) ? { qualifiedKinds: true } : {}),
        });
    }
    return { set, removed };
  }
}

/** Brings `manager` to what an update says. */
export function applyDiscoveryUpdate(manager: DiscoveryManager, update: DiscoveryUpdate): void {
  const named = new Set(update.set.map(keyOf));
  if (update.complete === true) {
    const gone = [...manager.groupVersions()].filter((known) => !named.has(keyOf(known)));
    for (const groupVersion of gone) manager.removeGroupVersion(groupVersion);
  }
  for (const groupVersion of update.removed) manager.removeGroupVersion(groupVersion);
  for (const { group, version, resources, qualifiedKinds } of update.set)
    manager.setGroupVersion({ group, version }, resources, qualifiedKinds === true ? { qualifiedKinds } : {});
}

function keyOf({ group, version }: GroupVersion): string {
  return `${group}/${version}`;
}
