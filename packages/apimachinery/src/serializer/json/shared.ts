import type { JSONValue } from '../../runtime/object.ts';

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
    object = deepFreeze(JSON.parse(text) as Record<string, JSONValue>);
    texts.set(object, text);
    if (text.length > maxTextChars) return object;
  }
  if (youngChars + text.length > maxHalfChars) {
    old = young;
    young = new Map();
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
