import { isRecord } from '../../registry/rest/result.ts';
import type { RESTResult } from '../../registry/rest/storage.ts';
import { isTooLargeHere } from '../../request/body-values.ts';
import { LargeObjectError, type BegunExchange } from '../../request/side-server.ts';
import type { Turns } from '../../request/turns.ts';
import type { OutputMediaType } from '../../negotiation/negotiate.ts';
import type { RequestScope } from './request-scope.ts';

/** What changes a stored object; may be called again as long as it has changed nothing. */
export interface Change<T> {
  readonly turns: Turns;
  readonly work: () => Promise<T>;
}

/**
 * Makes a change; undefined where the stored object is so large that the side server answers.
 * @throws whatever `work` throws
 */
export async function unlessLarge<T extends object>(
  { sideServer }: RequestScope,
  exchange: BegunExchange,
  { turns, work }: Change<T>,
): Promise<T | undefined> {
  if (sideServer === undefined) return work();
  turns.refuseLarge(true);
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof LargeObjectError)) throw error;
    if (await sideServer.takes(exchange)) return undefined;
  }
  turns.refuseLarge(false);
  return work();
}

/**
 * Whether the side server answers a read; undefined, which need not be awaited, unless what was read would have to be
 * decoded and is so large.
 */
export function readAside(
  { servesRecords, sideServer }: RequestScope,
  exchange: BegunExchange,
  {
    output: { convert, mediaType },
    results,
  }: { readonly output: OutputMediaType; readonly results: readonly RESTResult[] },
): Promise<boolean> | undefined {
  if (sideServer === undefined || (convert === undefined && mediaType.format === 'json' && servesRecords))
    return undefined;
  return results.some(isLarge) ? sideServer.takes(exchange) : undefined;
}

function isLarge(result: RESTResult): boolean {
  return isRecord(result) && isTooLargeHere(result.json, undefined);
}
