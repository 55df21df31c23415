import type { ReadyStatus } from './ready-state.ts';

/** How much is in caches. */
export interface CacheExtent {
  readonly objects: number;
  /** In the windows that watches can begin in, and how many fit there at present. */
  readonly events: number;
  readonly capacity: number;
}

/** Plain JSON about one cache: what it holds, how far it is, who watches. */
export interface CacherDescription {
  readonly resource: string;
  readonly prefix: string;
  readonly status: ReadyStatus;
  /** How often the cache was filled. */
  readonly generation: number;
  readonly lastError: string | undefined;
  /** Whether the watch on the store is up. */
  readonly connected: boolean;
  readonly objects: number;
  readonly revision: number;
  readonly listRevision: number;
  readonly window: {
    readonly events: number;
    readonly capacity: number;
    /** Lowest revision that a watch can start from. */
    readonly floor: number;
    readonly dispatchBacklog: number;
    readonly paused: boolean;
  };
  readonly snapshots: number;
  readonly indexes: readonly { readonly name: string; readonly values: number }[];
  readonly waitingReads: number;
  readonly revisionReads: number;
  readonly watchers: {
    readonly total: number;
    readonly withBookmarks: number;
    readonly groups: readonly { readonly slot: string; readonly selection: string; readonly watchers: number }[];
    /** The ten with the fullest buffers. */
    readonly slowest: readonly { readonly phase: string; readonly buffered: number; readonly position: number }[];
  };
}
