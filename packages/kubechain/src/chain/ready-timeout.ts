import { statSync } from 'node:fs';

/** Longest that processes may take before they say that they are ready: on a busy machine they load for a minute. */
const EMPTY_MS = 300_000;
/** Servers read all that is stored before that; ten times as fast on a machine with nothing else to do. */
const MS_PER_MB = 100;

/** How long to wait for a chain whose store is in `file`, in whole seconds, in ms. */
export function readyTimeoutMs(file: string): number {
  const bytes = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  return EMPTY_MS + Math.floor((bytes * MS_PER_MB) / 1e9) * 1000;
}
