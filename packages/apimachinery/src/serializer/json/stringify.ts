import { isPlainObject } from '../../object/is-plain-object.ts';
import { sharedText } from './shared.ts';

/** In every Node 24; TypeScript's library does not list it yet. */
const rawJSON = (JSON as unknown as { rawJSON: (text: string) => unknown }).rawJSON;

/** JSON.stringify that also writes bigint, as a plain number. */
export function stringifyJSON(value: unknown, indent?: number): string {
  try {
    return JSON.stringify(value, undefined, indent);
  } catch (error) {
    // 64-bit integers are rare enough that paying for them only when met is right.
    if (!(error instanceof TypeError)) throw error;
    return JSON.stringify(
      value,
      (_key, item: unknown) => (typeof item === 'bigint' ? rawJSON(item.toString()) : item),
      indent,
    );
  }
}

/** The same for an API object: managed fields whose text is known are not written again. */
export function stringifyObject(object: unknown): string {
  if (!isPlainObject(object) || !isPlainObject(object['metadata'])) return stringifyJSON(object);
  const { metadata } = object;
  const entries = metadata['managedFields'];
  if (!Array.isArray(entries) || !entries.some(isShared)) return stringifyJSON(object);
  return joined(object, 'metadata', joined(metadata, 'managedFields', `[${entries.map(entryText).join(',')}]`));
}

function isShared(entry: unknown): boolean {
  return isPlainObject(entry) && isPlainObject(entry['fieldsV1']) && sharedText(entry['fieldsV1']) !== undefined;
}

function entryText(entry: unknown): string {
  if (!isPlainObject(entry) || !isPlainObject(entry['fieldsV1'])) return stringifyJSON(entry);
  return joined(entry, 'fieldsV1', sharedText(entry['fieldsV1']) ?? stringifyJSON(entry['fieldsV1']));
}

/** The object's JSON with `text` as the value of one key. */
function joined(object: Record<string, unknown>, known: string, text: string): string {
  let last = '';
  for (const key in object) last = key;
  // Where it is written last, as by all that write managed fields, one call writes the others.
  if (last === known) {
    const others = stringifyJSON({ ...object, [known]: undefined });
    return `${others.slice(0, -1)}${others === '{}' ? '' : ','}${JSON.stringify(known)}:${text}}`;
  }
  let out = '';
  for (const key of Object.keys(object)) {
    const value = object[key];
    if (value === undefined) continue;
    out += `${out === '' ? '{' : ','}${JSON.stringify(key)}:${key === known ? text : stringifyJSON(value)}`;
  }
  return `${out}}`;
}
