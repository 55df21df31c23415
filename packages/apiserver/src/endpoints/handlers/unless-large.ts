import { isRecord } from '../../registry/rest/result.ts';
import type { RESTResult } from '../../registry/rest/storage.ts';
import type { ObjectRecord } from '@kubechain/shared-storage';
import { isTooLargeHere, mayBeTooLargeHere } from '../../request/body-values.ts';
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
  { servesRecords, sideServer, work }: RequestScope,
  exchange: BegunExchange,
  {
    output: { convert, mediaType },
    results,
  }: { readonly output: OutputMediaType; readonly results: readonly RESTResult[] },
): Promise<boolean> | undefined {
  if (sideServer === undefined || (convert === undefined && mediaType.format === 'json' && servesRecords))
    return undefined;
  if (!results.some(mayBeLarge)) return undefined;
  return anyIsLarge(results, work.turns(exchange.context)).then((large) => large && sideServer.takes(exchange));
}

/** By its bytes alone: the values of most need not be counted. */
function mayBeLarge(result: RESTResult): result is ObjectRecord {
  return isRecord(result) && mayBeTooLargeHere(result.json);
}

/** Counts in turns: a list may have gigabytes. */
async function anyIsLarge(results: readonly RESTResult[], turns: Turns): Promise<boolean> {
  for (const result of results) {
    if (!mayBeLarge(result)) continue;
    if (isTooLargeHere(result.json, undefined)) return true;
    const turn = turns.nextAfter(result.json.length);
    // oxlint-disable-next-line no-await-in-loop -- one after another, so that others are served
    if (turn !== undefined) await turn;
  }
  return false;
}
