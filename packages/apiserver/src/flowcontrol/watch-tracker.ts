import { parseFieldSelector } from '@kubechain/apimachinery';
import type { ServerRequestContext } from '../request/server-request-context.ts';
import type { RequestInfo } from '../request/request-context.ts';

/**
 * A watch with such a selector gets few of its resource's events, and is not counted (upstream knows this index alone).
 */
const indexes: ReadonlyMap<string, string> = new Map([['pods', 'spec.nodeName']]);

/**
 * Counts the watches that go through this server, by what they watch, to know how many an event goes to
 * (util/flowcontrol/watch_tracker.go, 1.36).
 */
export class WatchTracker {
  readonly #counts = new Map<string, number>();

  /** Counts a watch until the result is called; undefined for one that is not counted. */
  register({ requestInfo, query }: ServerRequestContext): (() => void) | undefined {
    const index = indexes.get(requestInfo.resource);
    if (index !== undefined && selects(query, index)) return undefined;
    const key = keyOf(requestInfo, requestInfo.namespace, requestInfo.name);
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    return () => {
      const left = (this.#counts.get(key) ?? 1) - 1;
      if (left === 0) this.#counts.delete(key);
      else this.#counts.set(key, left);
    };
  }

  /** Watches that an event of this request's object would go to: of the resource, of the namespace, of the object. */
  interestedIn(info: RequestInfo): number {
    if (this.#counts.size === 0) return 0;
    let count = this.#counts.get(keyOf(info, '', '')) ?? 0;
    if (info.namespace !== '') count += this.#counts.get(keyOf(info, info.namespace, '')) ?? 0;
    if (info.name !== '') count += this.#counts.get(keyOf(info, info.namespace, info.name)) ?? 0;
    return count;
  }
}

function keyOf({ apiGroup, resource }: RequestInfo, namespace: string, name: string): string {
  return `${apiGroup}/${resource}/${namespace}/${name}`;
}

/** Whether the field must have a certain value. */
function selects(query: URLSearchParams, field: string): boolean {
  const text = query.get('fieldSelector') ?? '';
  if (!text.includes(field)) return false;
  try {
    return parseFieldSelector(text).requirements.some(
      (requirement) => requirement.field === field && requirement.operator !== '!=' && requirement.value !== '',
    );
  } catch {
    return false;
  }
}
