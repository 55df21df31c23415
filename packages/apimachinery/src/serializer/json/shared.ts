import type { JSONValue } from '../../object/object.ts';
import { parseMembers } from './parse-members.ts';
import { parseJSON } from './parse-text.ts';

/** A JSON object that many documents share; frozen all through. */
export type SharedObject = Readonly<Record<string, JSONValue>>;

/**
 * The objects, by their text. What a controller manages is the same in all its objects and in all versions of one, so
 * nearly all look-ups hit. Each half holds up to `maxHalfChars` of text (some ten times that in memory); when the new
 * half is full the old one is dropped, so that what is in use stays.
 */
let young = new Map<string, SharedObject>();
let old = new Map<string, SharedObject>();
let youngChars = 0;
const maxHalfChars = 1 << 20;
/** Longer texts are few, and not shared. */
const maxTextChars = 1 << 16;

const texts = new WeakMap<object, string>();

/** A text and what it stands for. */
interface Shared {
  readonly text: string;
  readonly object: SharedObject;
}

/**
 * What was read last, by how its text begins: which of a few texts stands at a place is told by comparing, without
 * looking for its end. Begins anew with each young half.
 */
let recent = new Map<string, Shared[]>();
const beginChars = 48;
const maxRecent = 8;

/**
 * The object that a text stands for, the same one for the same text where possible. `text` must be compact JSON of an
 * object without bigints.
 * @throws SyntaxError
 */
export function shareJSON(text: string): SharedObject {
  let object = young.get(text);
  if (object !== undefined) return object;
  object = old.get(text);
  if (object === undefined) {
    object = parseMembers(text) ?? deepFreeze(parseJSON(text) as Record<string, JSONValue>);
    texts.set(object, text);
    if (text.length > maxTextChars) return object;
  }
  if (youngChars + text.length > maxHalfChars) {
    old = young;
    young = new Map();
    recent = new Map();
    youngChars = 0;
  }
  // Parts of a larger text would keep all of it.
  young.set(ownText(object, text), object);
  youngChars += text.length;
  return object;
}

/** The object of a text that is shared already. */
export function knownJSON(text: string): SharedObject | undefined {
  return young.get(text) ?? old.get(text);
}

/**
 * The object whose text stands at an index of a larger one, where it was among the last to be read; with the index
 * behind it.
 */
export function sharedAt(
  text: string,
  start: number,
): { readonly object: SharedObject; readonly end: number } | undefined {
  const candidates = recent.get(text.slice(start, start + beginChars));
  if (candidates === undefined) return shortAt(text, start);
  for (const [i, candidate] of candidates.entries()) {
    const end = start + candidate.text.length;
    // No object's JSON is the beginning of another's.
    if (text.slice(start, end) !== candidate.text) continue;
    if (i > 0) {
      candidates.splice(i, 1);
      candidates.unshift(candidate);
    }
    return { object: candidate.object, end };
  }
  return undefined;
}

/** The same for texts that are shorter than the beginnings of others. */
function shortAt(text: string, start: number): { readonly object: SharedObject; readonly end: number } | undefined {
  const end = endOfObject(text, start, start + beginChars);
  const object = end === undefined ? undefined : knownJSON(text.slice(start, end));
  return object === undefined || end === undefined ? undefined : { object, end };
}

/** Index after the object that begins at `start`, when that is not beyond `limit`. */
export function endOfObject(text: string, start: number, limit: number): number | undefined {
  let depth = 0;
  for (let i = start; i < limit; i++) {
    switch (text.charCodeAt(i)) {
      case 0x7b:
        depth++;
        break;
      case 0x7d:
        if (--depth === 0) return i + 1;
        break;
      case 0x22:
        for (i++; text.charCodeAt(i) !== 0x22 && i < limit; i++) if (text.charCodeAt(i) === 0x5c) i++;
        break;
      default:
    }
  }
  return undefined;
}

/** Makes {@link sharedAt} find an object. */
export function rememberShared(object: SharedObject): void {
  const text = texts.get(object);
  if (text === undefined || text.length < beginChars || text.length > maxTextChars) return;
  const begin = text.slice(0, beginChars);
  const candidates = recent.get(begin);
  if (candidates === undefined) recent.set(Buffer.from(begin).toString(), [{ text, object }]);
  else if (candidates.unshift({ text, object }) > maxRecent) candidates.pop();
}

/** The text of an object from {@link shareJSON}; `undefined` for all others. */
export function sharedText(object: object): string | undefined {
  return texts.get(object);
}

function ownText(object: SharedObject, text: string): string {
  const own = Buffer.from(text, 'utf8').toString('utf8');
  texts.set(object, own);
  return own;
}

function deepFreeze<T extends JSONValue>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const item of Object.values(value)) deepFreeze(item as JSONValue);
    Object.freeze(value);
  }
  return value;
}
