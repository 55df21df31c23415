import { isByte, withoutBytes } from '../text/utf8.ts';

/**
 * Values as Go's fmt, strconv and encoding/json print them. Error texts of the reference embed values in these
 * forms, and clients match on them.
 */

const escapes = new Map<string, string>([
  ['\u0007', '\\a'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\v', '\\v'],
  ['"', '\\"'],
  ['\\', '\\\\'],
]);
const printable = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;

/** Whether Go's unicode.IsPrint holds for one character (code point). */
export function isPrintable(character: string): boolean {
  return printable.test(character);
}

/** `%q` of a string (strconv.Quote). */
export function goQuote(text: string): string {
  return quoteEach(text, 0x7e, writtenQuoted);
}

/** Longer texts are put together as bytes: a million pieces of a string take ten times as long. */
const LONG_QUOTED = 4_096;
/** No character is written in more bytes. */
const MOST_BYTES = 32;

/**
 * A text in quotes whose ASCII up to `lastPlain` stands as it is, but for control characters, `"` and `\`; `written`
 * says how each other character does, in no more than 32 bytes. Without an expression for the whole: V8 takes a
 * microsecond for each character that one finds, and texts may have a million.
 */
export function quoteEach(text: string, lastPlain: number, written: (character: string) => string): string {
  if (text.length > LONG_QUOTED) return quoteLong(text, lastPlain, written);
  const known = new Map<number, string>();
  let quoted = '"';
  let from = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0x20 && unit <= lastPlain && unit !== 0x22 && unit !== 0x5c) continue;
    const code = text.codePointAt(i) ?? unit;
    let escape = known.get(code);
    if (escape === undefined) known.set(code, (escape = written(String.fromCodePoint(code))));
    quoted += text.slice(from, i) + escape;
    if (code > 0xffff) i++;
    from = i + 1;
  }
  return `${quoted}${text.slice(from)}"`;
}

/** The same through a buffer. */
function quoteLong(text: string, lastPlain: number, written: (character: string) => string): string {
  const known = new Map<number, Uint8Array>();
  let bytes = Buffer.allocUnsafe(text.length + 2 * MOST_BYTES);
  let length = 0;
  bytes[length++] = 0x22;
  for (let i = 0; i < text.length; i++) {
    if (length + MOST_BYTES > bytes.length) {
      const more = Buffer.allocUnsafe(2 * bytes.length);
      more.set(bytes);
      bytes = more;
    }
    const unit = text.charCodeAt(i);
    if (unit >= 0x20 && unit <= lastPlain && unit !== 0x22 && unit !== 0x5c) {
      bytes[length++] = unit;
      continue;
    }
    const code = unit < 0xd800 || unit > 0xdfff ? unit : (text.codePointAt(i) ?? unit);
    let escape = known.get(code);
    if (escape === undefined) known.set(code, (escape = Buffer.from(written(String.fromCodePoint(code)))));
    for (let at = 0; at < escape.length; at++) bytes[length++] = escape[at] as number;
    if (code > 0xffff) i++;
  }
  bytes[length++] = 0x22;
  return bytes.toString('utf8', 0, length);
}

function writtenQuoted(character: string): string {
  return isPrintable(character) && character !== '"' && character !== '\\' ? character : escapeQuoted(character);
}

function escapeQuoted(character: string): string {
  const escape = escapes.get(character);
  if (escape !== undefined) return escape;
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20 || code === 0x7f) return `\\x${code.toString(16).padStart(2, '0')}`;
  if (isByte(code)) return `\\x${(code & 0xff).toString(16)}`;
  if (code >= 0xd800 && code <= 0xdfff) return '\ufffd';
  return code < 0x10000 ? `\\u${code.toString(16).padStart(4, '0')}` : `\\U${code.toString(16).padStart(8, '0')}`;
}

/** In every Node 24; TypeScript's library does not list it yet. */
export const rawJSON = (JSON as unknown as { rawJSON: (text: string) => unknown }).rawJSON;
const escapedInHTML = /[<>&\u2028\u2029]/;
const allEscapedInHTML = /[<>&\u2028\u2029]/g;
/** Shorter texts have few of them, and are faster with a replacer; so are longer ones that have no more. */
const LONG_TEXT = 32_768;
const FEW = 1_000;
const ESCAPE_BYTES = String.raw`\u003c`.length;

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** JSON text as encoding/json writes it, safe within HTML. */
export function escapeHTML(json: string): string {
  return escapeForHTML(withoutBytes(json));
}

/** Of JSON as somebody else wrote it, nothing but what HTML reads otherwise. */
export function escapeForHTML(json: string): string {
  if (!escapedInHTML.test(json)) return json;
  if (json.length < LONG_TEXT || !hasMany(json)) return json.replace(allEscapedInHTML, escapeCharacter);
  return escapeLong(Buffer.from(json));
}

function hasMany(json: string): boolean {
  let count = 0;
  for (const character of ['<', '>', '&', '\u2028', '\u2029'])
    for (let at = json.indexOf(character); at >= 0; at = json.indexOf(character, at + 1))
      if (++count > FEW) return true;
  return false;
}

/** The same in UTF-8: a replacer takes a microsecond for each of what may be three million. */
function escapeLong(json: Uint8Array): string {
  let more = 0;
  for (let i = 0; i < json.length; i++) if (isEscapedInHTML(json, i)) more += ESCAPE_BYTES;
  const bytes = Buffer.allocUnsafe(json.length + more);
  let length = 0;
  for (let i = 0; i < json.length; i++) {
    const byte = json[i] as number;
    if (!isEscapedInHTML(json, i)) bytes[length++] = byte;
    else if (byte === 0xe2) {
      length += bytes.write(json[i + 2] === 0xa8 ? '\\u2028' : '\\u2029', length, 'latin1');
      i += 2;
    } else {
      bytes[length++] = 0x5c;
      bytes[length++] = 0x75;
      bytes[length++] = 0x30;
      bytes[length++] = 0x30;
      bytes[length++] = byte < 0x30 ? 0x32 : 0x33;
      bytes[length++] = byte === 0x26 ? 0x36 : byte === 0x3c ? 0x63 : 0x65;
    }
  }
  return bytes.toString('utf8', 0, length);
}

/** Whether `<`, `>`, `&`, U+2028 or U+2029 begins there. */
function isEscapedInHTML(json: Uint8Array, at: number): boolean {
  const byte = json[at];
  if (byte !== 0xe2) return byte === 0x3c || byte === 0x3e || byte === 0x26;
  return json[at + 1] === 0x80 && (json[at + 2] === 0xa8 || json[at + 2] === 0xa9);
}

/**
 * encoding/json of a value: as JSON.stringify, with `<`, `>` and `&` escaped and bigint as a plain number. Members are
 * in their order, but for those of maps whose keys look like numbers: JavaScript puts these in an order of its own, and
 * Go in that of texts.
 */
export function goJSON(value: unknown): string {
  if (value === undefined) return 'null';
  if (isPlain(value)) return escapeHTML(JSON.stringify(value));
  let reordered = false;
  const text = JSON.stringify(value, (_key, item: unknown) => {
    if (typeof item === 'bigint') return rawJSON(item.toString());
    reordered ||= isReordered(item);
    return item;
  });
  return escapeHTML(reordered ? inOrderOfTexts(value) : text);
}

/** Whether JavaScript writes it as Go does: a look that takes a tenth of writing it with a function for each member. */
function isPlain(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value !== 'bigint';
  if (Array.isArray(value)) return value.every(isPlain);
  if ('toJSON' in value || isReordered(value)) return false;
  for (const key in value) if (!isPlain((value as Readonly<Record<string, unknown>>)[key])) return false;
  return true;
}

const wholeNumber = /^(?:0|[1-9]\d*)$/;

/** Numbers come first in objects of JavaScript. */
function isReordered(item: unknown): boolean {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return false;
  for (const key in item) return wholeNumber.test(key);
  return false;
}

/** JSON of a value that has maps with such keys. */
function inOrderOfTexts(value: unknown): string {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if ('toJSON' in value && typeof value.toJSON === 'function') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(inOrderOfTexts).join(',')}]`;
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  if (isReordered(value)) entries.sort(([a], [b]) => compareText(a, b));
  return `{${entries.map(([key, member]) => `${JSON.stringify(key)}:${inOrderOfTexts(member)}`).join(',')}}`;
}

/**
 * `%v` of a decoded number: an int64 where it is a whole one that doubles hold exactly, or a bigint; else a float64.
 */
export function goNumber(value: number | bigint): string {
  if (typeof value === 'bigint') return value.toString();
  return Number.isSafeInteger(value) && !Object.is(value, -0) ? value.toString() : goFloat(value);
}

/** `%v` of a float64, whole or not: `3e+09`. */
export function goFloat(value: number): string {
  if (Object.is(value, -0)) return '-0';
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
  // Go turns to exponents below 1e-4 and from 1e6 on, and writes at least two digits of them.
  const magnitude = Math.abs(value);
  if (magnitude === 0 || (magnitude >= 1e-4 && magnitude < 1e6)) return value.toString();
  return value.toExponential().replace(/e([+-])(\d)$/, 'e$10$2');
}

/** `%v` of decoded JSON: `map[a:1 b:[x y]]`, keys sorted; `<nil>` for null. */
export function goValue(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
    case 'bigint':
      return goNumber(value);
    case 'boolean':
      return String(value);
    default:
  }
  if (value === null || value === undefined) return '<nil>';
  if (Array.isArray(value)) return `[${value.map(goValue).join(' ')}]`;
  return `map[${Object.keys(value)
    .sort(compareText)
    .map((key) => `${key}:${goValue((value as Record<string, unknown>)[key])}`)
    .join(' ')}]`;
}

/** `%s` of decoded JSON: as {@link goValue}, but wrong for numbers, booleans and null, as Go is (`%!s(int64=1)`). */
export function goStringVerb(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
      return Number.isInteger(value) ? `%!s(int64=${value})` : `%!s(float64=${goNumber(value)})`;
    case 'bigint':
      return `%!s(int64=${value})`;
    case 'boolean':
      return `%!s(bool=${value})`;
    default:
  }
  if (value === null || value === undefined) return '%!s(<nil>)';
  if (Array.isArray(value)) return `[${value.map(goStringVerb).join(' ')}]`;
  return `map[${Object.keys(value)
    .sort(compareText)
    .map((key) => `${key}:${goStringVerb((value as Record<string, unknown>)[key])}`)
    .join(' ')}]`;
}

/** Byte order of the UTF-8 forms, which is how Go sorts strings. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x === y) continue;
    // UTF-16 sorts surrogates (U+10000 and up) before U+E000…U+FFFF; UTF-8 does not.
    const xHigh = x >= 0xd800 && x <= 0xdfff;
    const yHigh = y >= 0xd800 && y <= 0xdfff;
    if (xHigh !== yHigh) return xHigh ? 1 : -1;
    return x - y;
  }
  return a.length - b.length;
}

/** Length in bytes as UTF-8, which is what Go's `len` counts. */
export function byteLength(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}
