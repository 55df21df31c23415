import type { EventWindow } from './event-window.ts';
import type { RecordTree } from './record-tree.ts';

interface Snapshot {
  /** First window position whose event is not in the tree. */
  readonly position: number;
  readonly tree: RecordTree;
}

/** Lists that are paged at the same time rarely have more different revisions than this. */
const MAX_SNAPSHOTS = 8;

/**
 * The state at earlier revisions, for pages and exact lists.
 *
 * Nothing is kept per event: a snapshot of the current tree costs nothing, and an earlier one is made by undoing the
 * window's events back to it, from the nearest state known. The latest few are remembered, as pages come in series.
 */
export class SnapshotStore {
  readonly #window: EventWindow;
  /** Oldest use first. */
  #snapshots: Snapshot[] = [];

  constructor(window: EventWindow) {
    this.#window = window;
  }

  get size(): number {
    return this.#snapshots.length;
  }

  /**
   * State after the last event at or below `revision`, which must not be below the window's floor; treat as read-only.
   */
  at(revision: number, current: RecordTree): RecordTree {
    const position = this.#window.positionAfter(revision);
    let base: Snapshot | undefined;
    for (const snapshot of this.#snapshots) {
      if (snapshot.position >= position && (base === undefined || snapshot.position < base.position)) base = snapshot;
    }
    if (base?.position === position) {
      this.#remember(base);
      return base.tree;
    }
    const tree = (base?.tree ?? current).snapshot();
    for (let i = (base?.position ?? this.#window.end) - 1; i >= position; i--) {
      const { key, previous } = this.#window.at(i);
      if (previous === undefined) tree.delete(key);
      else tree.set(previous);
    }
    this.#remember({ position, tree });
    return tree;
  }

  /** Drops what can no longer be asked for, so that old states are not kept alive. */
  evictBefore(position: number): void {
    if (this.#snapshots.length > 0)
      this.#snapshots = this.#snapshots.filter((snapshot) => snapshot.position >= position);
  }

  reset(): void {
    this.#snapshots = [];
  }

  #remember(snapshot: Snapshot): void {
    this.#snapshots = this.#snapshots.filter((other) => other !== snapshot);
    this.#snapshots.push(snapshot);
    if (this.#snapshots.length > MAX_SNAPSHOTS) this.#snapshots.shift();
  }
}
