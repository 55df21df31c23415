import { isPlainObject } from '../../object/is-plain-object.ts';
import type { JSONValue, KubeObject } from '../../object/object.ts';
import { sharedAt } from './shared.ts';
import type { SharedObject } from './shared.ts';

/** How managed fields begin in compact JSON. */
export const managedFields = '"managedFields":[{';
export const fieldsV1 = '"fieldsV1":{';

/** A document without managed fields that are known. */
export interface WithoutKnownFields {
  /** `0` for each `fieldsV1`. */
  readonly rest: string;
  /** What was there; {@link putBack} puts it back into the parsed object. */
  readonly taken: readonly SharedObject[];
}

/**
 * The text of any document without its `fieldsV1`, when all of them are among those that were read last from stored
 * objects: who updates an object sends back what it has read. What looks like one and is none makes {@link putBack}
 * fail.
 */
export function withoutKnownFields(text: string): WithoutKnownFields | undefined {
  const begin = text.indexOf(managedFields);
  if (begin < 0) return undefined;
  const taken: SharedObject[] = [];
  let rest = '';
  let from = 0;
  for (let at = text.indexOf(fieldsV1, begin); at >= 0; at = text.indexOf(fieldsV1, from)) {
    const start = at + fieldsV1.length - 1;
    const known = sharedAt(text, start);
    if (known === undefined) return undefined;
    taken.push(known.object);
    rest += `${text.slice(from, start)}0`;
    from = known.end;
  }
  return taken.length === 0 ? undefined : { rest: rest + text.slice(from), taken };
}

/** Puts the objects where they were; false when they were not the managed fields of the object. */
export function putBack(object: KubeObject, taken: readonly SharedObject[]): boolean {
  const entries: unknown = object.metadata?.managedFields;
  if (!Array.isArray(entries) || entries.length !== taken.length) return false;
  for (const [i, entry] of entries.entries()) {
    if (!isPlainObject(entry) || entry['fieldsV1'] !== 0) return false;
    entry['fieldsV1'] = taken[i] as JSONValue;
  }
  return true;
}
