import { goQuote } from '@kubechain/apimachinery';
import { StorageError } from './errors.ts';

/**
 * The revision that a resourceVersion names; '' and '0' are 0 (APIObjectVersioner.ParseResourceVersion).
 *
 * @throws StorageError `InvalidResourceVersion` with upstream's text
 */
export function parseResourceVersion(text: string): number {
  const problem = problemOf(text);
  if (problem !== undefined) throw new StorageError('InvalidResourceVersion', `invalid resource version: ${problem}`);
  return revisionOf(text);
}

/**
 * The same for watches, and for reads of one object from a cache, where upstream lets its parser's error pass as it is.
 *
 * @throws StorageError `InvalidResourceVersion`, `unparsed`
 */
export function parseBareResourceVersion(text: string): number {
  const problem = problemOf(text);
  if (problem !== undefined) throw new StorageError('InvalidResourceVersion', problem, { unparsed: true });
  return revisionOf(text);
}

function problemOf(text: string): string | undefined {
  if (text === '') return undefined;
  const reason = !/^[0-9]+$/.test(text) ? 'invalid syntax' : Number(text) >= 2 ** 64 ? 'value out of range' : undefined;
  const quoted = goQuote(text);
  return reason === undefined
    ? undefined
    : `resourceVersion: Invalid value: ${quoted}: strconv.ParseUint: parsing ${quoted}: ${reason}`;
}

/** Revisions stay far below 2^53; what is above cannot have been issued by a store. */
function revisionOf(text: string): number {
  return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
}
