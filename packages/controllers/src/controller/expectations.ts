import type { Clock } from '@kubechain/apimachinery';

/** Expectations that were not met for so long no longer hold anybody up: an event was lost. */
const EXPECTATIONS_TIMEOUT_MS = 5 * 60_000;

/**
 * What a controller has asked for and not yet seen in its informer (pkg/controller's ControllerExpectations): while
 * creations or deletions are outstanding, its view is stale and it must not act on counts.
 */
export class Expectations {
  readonly #clock: Clock;
  readonly #byKey = new Map<string, { add: number; del: number; readonly sinceMs: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  expectCreations(key: string, count: number): void {
    this.set(key, { add: count, del: 0 });
  }

  expectDeletions(key: string, count: number): void {
    this.set(key, { add: 0, del: count });
  }

  set(key: string, { add, del }: { readonly add: number; readonly del: number }): void {
    this.#byKey.set(key, { add, del, sinceMs: this.#clock.now() });
  }

  /** More of the same, beside what is expected already; negative for less. */
  raise(key: string, { add = 0, del = 0 }: { readonly add?: number; readonly del?: number }): void {
    const known = this.#byKey.get(key);
    if (known === undefined) return;
    known.add += add;
    known.del += del;
  }

  creationObserved(key: string): void {
    this.raise(key, { add: -1 });
  }

  deletionObserved(key: string): void {
    this.raise(key, { del: -1 });
  }

  /** Whether the informer shows all that was asked for, or nobody knows of anything, or it is too long ago. */
  satisfied(key: string): boolean {
    const known = this.#byKey.get(key);
    if (known === undefined) return true;
    if (known.add <= 0 && known.del <= 0) return true;
    return this.#clock.now() - known.sinceMs > EXPECTATIONS_TIMEOUT_MS;
  }

  pending(key: string): { readonly add: number; readonly del: number } | undefined {
    return this.#byKey.get(key);
  }

  delete(key: string): void {
    this.#byKey.delete(key);
  }
}

/**
 * Expectations that know which objects are to go (UIDTrackingControllerExpectations): a pod that is being deleted shows
 * up first as an update and then as a deletion, and must be counted once.
 */
export class UIDTrackingExpectations extends Expectations {
  readonly #objects = new Map<string, Set<string>>();

  /** `objects` name what will go: keyOf, or uid. */
  expectDeletionsOf(key: string, objects: readonly string[]): void {
    this.#objects.set(key, new Set(objects));
    this.expectDeletions(key, objects.length);
  }

  deletionOfObserved(key: string, object: string): void {
    if (this.#objects.get(key)?.delete(object) === true) this.deletionObserved(key);
  }

  override delete(key: string): void {
    this.#objects.delete(key);
    super.delete(key);
  }
}
