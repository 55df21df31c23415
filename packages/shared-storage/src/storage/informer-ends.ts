import type { WatchEnd } from './watch-end.ts';

/** Where informers count why the watches that they live on have ended. */
export interface InformerEnds {
  /** One watch has ended. @param keyRoot of the resource, e.g. `/registry/services/specs` */
  ended(keyRoot: string, end: WatchEnd): void;
}
