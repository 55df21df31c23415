import { setTimeout as wait } from 'node:timers/promises';
import type { Client } from '../harness/client.ts';
import { pathOf, type Base } from './requests.ts';
import { told } from './told.ts';

const BETWEEN_LOOKS_MS = 1_000;

/** An object that two servers have otherwise. */
export interface Unlike {
  readonly kind: string;
  readonly request: {
    readonly method: 'GET';
    readonly path: string;
    readonly contentType: string;
    readonly body: string;
  };
  readonly reference: string;
  readonly own: string;
}

/**
 * Waits until two servers have the same to say of objects that both were given: controllers within them write
 * conditions and defaults a moment after. What is not alike in time is told of once, and no trial begins with it.
 */
export async function settled(
  both: readonly [Pick<Client, 'get'>, Pick<Client, 'get'>],
  bases: readonly Base[],
  { namespace, withinMs }: { readonly namespace: string; readonly withinMs: number },
): Promise<{ readonly alike: readonly Base[]; readonly unlike: readonly Unlike[] }> {
  const deadline = Date.now() + withinMs;
  let left = bases.filter(({ object }) => object !== undefined);
  const unlike = new Map<Base, Unlike>();
  while (left.length > 0) {
    const still: Base[] = [];
    for (const base of left) {
      const path = pathOf(base, namespace);
      const [reference = '', own = ''] = await Promise.all(both.map(async (client) => told(await client.get(path))));
      unlike.delete(base);
      if (reference === own) continue;
      still.push(base);
      const request = { method: 'GET', path, contentType: '', body: '' } as const;
      unlike.set(base, { kind: base.resource.name, request, reference, own });
    }
    left = still;
    if (Date.now() >= deadline) break;
    if (left.length > 0) await wait(BETWEEN_LOOKS_MS);
  }
  return { alike: bases.filter((base) => !unlike.has(base)), unlike: [...unlike.values()] };
}
