import { put } from '../stories/paths.ts';
import type { Client } from '../../harness/client.ts';
import type { TrialRequest } from '../requests.ts';
import type { Value, Values } from '../values.ts';
import type { Changes, ObjectMap } from './area.ts';

/** Gives all servers an object. @throws when one refuses it */
export async function make(both: readonly Client[], path: string, object: object): Promise<void> {
  for (const client of both) {
    const { status, text } = await client.post(path, object);
    if (status !== 201 && status !== 409) throw new Error(`POST ${path}: ${status} ${text}`);
  }
}

/** The object with one to `most` changes. */
export function changed(
  object: ObjectMap,
  changes: Changes,
  { most, values }: { readonly most: number; readonly values: Values },
): ObjectMap {
  const made = structuredClone(object);
  const places = Object.keys(changes);
  for (let left = 1 + values.below(most); left > 0; left--) {
    const place = values.pick(places);
    put(made, place, values.pick<Value | undefined>(changes[place] ?? []));
  }
  return made;
}

/** A request with a body of JSON; a dry run where it would change something. */
export function send(
  method: 'PATCH' | 'POST' | 'PUT',
  path: string,
  body: ObjectMap,
  more: { readonly contentType?: string; readonly headers?: Readonly<Record<string, string>> } = {},
): TrialRequest {
  const { contentType = 'application/json', headers } = more;
  return {
    method,
    path,
    contentType,
    body: JSON.stringify(body),
    ...(headers === undefined
      ? {}
      : { headers: { 'content-type': contentType, accept: 'application/json', ...headers } }),
  };
}
