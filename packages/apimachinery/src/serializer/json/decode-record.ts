import { isPlainObject } from '../../object/is-plain-object.ts';
import type { KubeObject } from '../../object/object.ts';
import { decodeJSON } from './decode.ts';
import { mayBeMisread } from './parse-text.ts';
import { fieldsV1, managedFields, putBack } from './known-fields.ts';
import { endOfObject, knownJSON, rememberShared, shareJSON, sharedAt } from './shared.ts';
import type { SharedObject } from './shared.ts';

/** Integers that JSON.parse may round; what looks like one inside of a string is no harm. */
const longInteger = /[:[,]-?\d{16}/;

/**
 * Reads the JSON of a stored object, as the encoder of this project or Go's has written it: compact, each key once. The
 * same as `decodeJSON(bytes, undefined)`, but the `fieldsV1` of managed fields are shared with other objects, and
 * frozen.
 *
 * @throws DecodeError
 */
export function decodeRecord(bytes: Uint8Array): KubeObject {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  if (!(text.includes('\\u') && (text.includes('\\ud') || text.includes('\\uD')))) {
    const begin = text.indexOf(managedFields);
    const { rest, taken } = begin > 0 ? takeFields(text, begin) : { rest: text, taken: [] };
    if (!longInteger.test(rest)) {
      const object = parsed(rest);
      if (object !== undefined && (taken.length === 0 || putBack(object, taken))) return object;
    }
  }
  return decodeJSON(bytes, undefined, {}).object;
}

/** Undefined for what the decoder has words for. */
function parsed(text: string): KubeObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isPlainObject(value) && !mayBeMisread(text, value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The text with `0` for each `fieldsV1` after `begin`, and the objects that were there. */
function takeFields(text: string, begin: number): { readonly rest: string; readonly taken: readonly SharedObject[] } {
  const taken: SharedObject[] = [];
  let rest = '';
  let from = 0;
  for (let at = text.indexOf(fieldsV1, begin); at >= 0; at = text.indexOf(fieldsV1, from)) {
    const start = at + fieldsV1.length - 1;
    const { end, object } = sharedAt(text, start) ?? look(text, start);
    taken.push(object);
    rest += `${text.slice(from, start)}0`;
    from = end;
  }
  return { rest: rest + text.slice(from), taken };
}

function look(text: string, start: number): { readonly object: SharedObject; readonly end: number } {
  let end = likelyEnd(text, start);
  let object = knownJSON(text.slice(start, end));
  if (object === undefined) {
    end = endOfObject(text, start, text.length) ?? text.length;
    object = shareJSON(text.slice(start, end));
  }
  rememberShared(object);
  return { object, end };
}

/** Where the object that begins at `start` most likely ends: where the entry does, or its subresource is told. */
function likelyEnd(text: string, start: number): number {
  const next = text.indexOf('},{"manager":"', start);
  const last = text.indexOf('}]', start);
  const end = next >= 0 && (next < last || last < 0) ? next : last;
  const subresource = text.lastIndexOf(',"subresource":"', end);
  return subresource > start ? subresource : end;
}
