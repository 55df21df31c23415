import { mutate } from '../mutate.ts';
import { put } from '../stories/paths.ts';
import type { Client } from '../../harness/client.ts';
import type { TrialRequest } from '../requests.ts';
import type { ObjectMap, Value, Values } from '../values.ts';
import type { Changes } from '../stories/kinds.ts';
import type { AreaContext } from './area.ts';

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

/** What is posted, of one kind. */
export interface Posted {
  readonly path: string;
  /** `authorization.k8s.io/v1/SubjectAccessReview` */
  readonly kind: string;
  readonly object: ObjectMap;
  readonly changes: Changes;
}

/** One of these objects, mostly with one to `most` changes, and this often with one that its schema gives. */
export function variantOf(
  { changes, kind, object }: Posted,
  { most, mutated }: { readonly most: number; readonly mutated: number },
  { schemas, values }: AreaContext,
): ObjectMap {
  const cut = kind.lastIndexOf('/');
  const named: ObjectMap = { apiVersion: kind.slice(0, cut), kind: kind.slice(cut + 1), ...object };
  const made = values.chance(0.8) ? changed(named, changes, { most, values }) : structuredClone(named);
  if (values.chance(mutated)) mutate(made, schemas.ofKind(kind), { values, schemas, fixed: 'status' });
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
