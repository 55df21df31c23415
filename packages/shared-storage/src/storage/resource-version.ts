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
  const reason = !/^[0-9]+$/.test(text) ? 'invalid syntax' : !isUint64(text) ? 'value out of range' : undefined;
  const quoted = goQuote(text);
  return reason === undefined
    ? undefined
    : `resourceVersion: Invalid value: ${quoted}: strconv.ParseUint: parsing ${quoted}: ${reason}`;
}

/** Revisions stay far below 2^53; what is above cannot have been issued by a store. */
function revisionOf(text: string): number {
  return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
}

const greatest = '18446744073709551615';

/** Whether digits are a number of 64 bits. */
function isUint64(digits: string): boolean {
  const significant = significantOf(digits);
  return significant.length < greatest.length || (significant.length === greatest.length && significant <= greatest);
}

/** The revision that a list asks for, as it is told: also one that no store can have issued. */
export function toldRevision(
  options: { readonly continue?: string | undefined; readonly resourceVersion?: string | undefined },
  revision: number,
): string {
  const { resourceVersion = '' } = options;
  return options.continue || resourceVersion === '' ? String(revision) : significantOf(resourceVersion);
}

/** Digits without those that say nothing. */
function significantOf(digits: string): string {
  return digits.replace(/^0+/, '') || '0';
}
