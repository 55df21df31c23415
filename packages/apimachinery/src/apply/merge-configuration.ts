import { append } from '../object/append.ts';
import { FormatError } from '../errors/format-error.ts';
import type { JSONValue, KubeObject, ManagedFieldsEntry } from '../object/object.ts';
import { isJSONObject } from '../object/json-object.ts';
import type { Schema } from '../schema/schema.ts';
import type { Atom } from './atom.ts';
import { atomOf, deducedAtom } from './atom.ts';
import { decodeManaged } from './managed.ts';
import { mergeTyped } from './merge.ts';
import { elementText } from './path-element.ts';
import { TypedError } from './typed-error.ts';
import { validateTyped } from './validate.ts';

/**
 * Merges a configuration into an object without any account of owners: what a mutating admission policy's
 * ApplyConfiguration does. `schema` is `null` for kinds without one. The result shares parts with both arguments.
 *
 * @throws FormatError with upstream's text, also for configurations that would replace something atomic
 */
export function mergeConfiguration(schema: Schema | null, original: KubeObject, patch: KubeObject): KubeObject {
  const atom = schema === null ? deducedAtom : atomOf(schema);
  explain('failed to convert patch object to typed object', () => validateTyped(atom, patch as JSONValue));
  const atomics = findAtomics(atom, patch as JSONValue, '');
  if (atomics.length > 0)
    throw new FormatError(
      `invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: ${atomics.join(', ')}`,
    );
  return explain('failed to merge patch', () =>
    mergeTyped(atom, original as JSONValue, patch as JSONValue),
  ) as KubeObject;
}

function explain<T>(what: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof TypedError) throw new FormatError(`${what}: ${error.message}`, { cause: error });
    throw error;
  }
}

/** Paths of atomic lists and objects in a value; below maps nobody looks, as in the reference. */
function findAtomics(atom: Atom, value: JSONValue, path: string): string[] {
  const atomics: string[] = [];
  if (isJSONObject(value) && atom.map !== undefined) {
    if (atom.map.atomic) atomics.push(path);
    for (const key of Object.keys(value)) {
      const field = atom.map.fields.get(key);
      if (field !== undefined)
        append(atomics, findAtomics(field.atom, value[key] as JSONValue, path + elementText(field.element)));
    }
  } else if (Array.isArray(value) && atom.list !== undefined) {
    if (atom.list.atomic) atomics.push(path);
    for (const [i, item] of value.entries()) append(atomics, findAtomics(atom.list.element, item, `${path}[${i}]`));
  }
  return atomics;
}

/**
 * Checks that managedFields can be read, as it is done after mutating admission.
 * @throws FormatError with upstream's text (managedfields.ValidateManagedFields)
 */
export function checkManagedFields(entries: readonly ManagedFieldsEntry[] | undefined): void {
  decodeManaged(entries);
}
