import { StorageError } from './errors.ts';

/**
 * The revision that a resourceVersion names; '' and '0' are 0 (APIObjectVersioner.ParseResourceVersion).
 *
 * @throws StorageError `InvalidResourceVersion` with upstream's text
 */
export function parseResourceVersion(text: string): number {
  if (text === '' || text === '0') return 0;
  if (!/^[0-9]+$/.test(text)) throw invalid(text, 'invalid syntax');
  const revision = Number(text);
  // Revisions stay far below 2^53; what is above cannot have been issued by a store.
  if (revision >= 2 ** 64) throw invalid(text, 'value out of range');
  return Math.min(revision, Number.MAX_SAFE_INTEGER);
}

function invalid(text: string, reason: string): StorageError {
  const quoted = JSON.stringify(text);
  return new StorageError('InvalidResourceVersion', `invalid resource version: resourceVersion: Invalid value: ${quoted}: strconv.ParseUint: parsing ${quoted}: ${reason}`);
}
