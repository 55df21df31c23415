import { StatusError } from '../../errors/status.ts';
import { limits } from '../../limits/limits.ts';
import type { Pause } from '../../limits/pause.ts';
import { encodeJSONText } from '../json/encode.ts';
import { analyzeScalar, isPrintable } from './analyze.ts';
import { END, isLineBreak } from './cursor.ts';
import { needsQuotes } from './resolve-scalar.ts';
import { compareKeys } from './sort-keys.ts';

/** libyaml's best_width: longer lines are folded at the next space. */
const WIDTH = 80;
/** Longer keys are written with an explicit `?`. */
const MAX_SIMPLE_KEY_BYTES = 128;

/** What Go's JSON encoder leaves in a text, and the parser between it and Go's YAML encoder does not take. */
const controlCharacters = /[\x7f-\x84\x86-\x9f\ufffe\uffff]/;
const notAllowed = {
  status: 'Failure',
  message: 'yaml: control characters are not allowed',
  code: 500,
} as const;

/** Characters of a key with its quotes that the parser takes, which reads JSON as YAML. */
const MAX_JSON_KEY = 1024;
/** No shorter one has so many however it is escaped. */
const SURE_KEY_LENGTH = Math.floor(MAX_JSON_KEY / 6) - 2;
const keyTooLong = {
  status: 'Failure',
  message: "yaml: did not find expected ',' or '}'",
  code: 500,
} as const;

/** @throws StatusError */
function refuseLongKey(key: string): void {
  if (key.length > SURE_KEY_LENGTH && Array.from(encodeJSONText(key)).length > MAX_JSON_KEY)
    throw new StatusError(keyTooLong);
}

/**
 * Plain data as block YAML, byte for byte as sigs.k8s.io/yaml writes it, in UTF-8.
 * @throws StatusError 500 for control characters that JSON has as they are, and for keys of more than 1024 characters
 */
export function emitYAML(value: unknown): Buffer {
  const emitter = new Emitter(value);
  while (emitter.write(ALL_PARTS));
  return emitter.finish();
}

/** The same, with a pause after so many keys and items. @throws StatusError as emitYAML */
export async function emitYAMLInTurns(value: unknown, pause: Pause, partsAtOnce = PARTS_AT_ONCE): Promise<Buffer> {
  const emitter = new Emitter(value);
  while (emitter.write(partsAtOnce)) {
    const turn = pause();
    // oxlint-disable-next-line no-await-in-loop -- what is written next stands behind what was written before
    if (turn !== undefined) await turn;
  }
  return emitter.finish();
}

/** As many as are counted in one step. */
const ALL_PARTS = 2 ** 30;
/** Keys and items written between two looks at the time: a millisecond or two. */
const PARTS_AT_ONCE = 2_000;

/** Where a node stands. */
interface Context {
  /** Indentation of the enclosing collection; -1 at the root. */
  readonly indent: number;
  /** It is the value of a mapping: sequences are then not indented. */
  readonly mapping: boolean;
  readonly key: boolean;
}

/** Text is encoded once there is so much of it: a string of hundreds of thousands of parts is slow to collect. */
const CHUNK_LENGTH = 16_384;

/** What is left of a collection: of a sequence its items, of a mapping its keys, from `at` on. */
interface Rest {
  readonly items: readonly unknown[];
  readonly map: Record<string, unknown> | undefined;
  readonly indent: number;
  readonly at: number;
}

class Emitter {
  /** What is left to be written, the innermost collection last. */
  readonly #rests: Rest[] = [];
  /** What was left when there were no more parts to write, the innermost collection first. */
  readonly #interrupted: Rest[] = [];
  /** Keys and items that may still be written before the next pause. */
  #left = 0;
  readonly #chunks: Buffer[] = [];
  #out = '';
  /** Bytes in `#chunks`. */
  #size = 0;
  /** The last character; looking at it in `#out` would copy all of that. */
  #last = END;
  #column = 0;
  /** Characters of indentation in `#out`. */
  #indentation = 0;
  /** The line has only indentation and indicators so far, so that a collection can start on it. */
  #indention = true;

  constructor(value: unknown) {
    this.#node(value, { indent: -1, mapping: false, key: false });
    this.#keepInterrupted();
  }

  /** Writes up to so many keys and items more; false when there are none left. */
  write(most: number): boolean {
    this.#left = most;
    for (let rest = this.#rests.pop(); rest !== undefined; rest = this.#rests.pop()) {
      if (rest.map === undefined) this.#items(rest.items, rest);
      else this.#entries(rest.map, rest.items as readonly string[], rest);
      this.#keepInterrupted();
      if (this.#left <= 0) return true;
    }
    return false;
  }

  #keepInterrupted(): void {
    for (let rest = this.#interrupted.pop(); rest !== undefined; rest = this.#interrupted.pop()) this.#rests.push(rest);
  }

  finish(): Buffer {
    this.#chunks.push(Buffer.from(this.#last === 0x0a ? this.#out : `${this.#out}\n`, 'utf8'));
    return this.#chunks.length === 1 ? (this.#chunks[0] as Buffer) : Buffer.concat(this.#chunks);
  }

  /** Only between whole characters. */
  #flush(): void {
    const chunk = Buffer.from(this.#out, 'utf8');
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    this.#out = '';
  }

  /** Writes what has no parts, and opens what has. */
  #node(value: unknown, context: Context): void {
    if (Array.isArray(value)) {
      if (value.length === 0) this.#token('[]');
      else this.#sequence(value, context);
    } else if (typeof value === 'object' && value !== null) {
      const keys = presentKeys(value as Record<string, unknown>);
      if (keys.length === 0) this.#token('{}');
      else this.#mapping(value as Record<string, unknown>, keys.sort(compareKeys), context);
    } else if (typeof value === 'string') this.#string(value, context);
    else this.#token(scalarText(value));
  }

  #sequence(items: readonly unknown[], context: Context): void {
    const indent = context.indent < 0 ? 0 : context.mapping && !this.#indention ? context.indent : context.indent + 2;
    this.#items(items, { indent, at: 0 });
  }

  /** The items from `at` on, as many as may be written; every collection around them then keeps its rest likewise. */
  #items(items: readonly unknown[], { at, indent }: Pick<Rest, 'at' | 'indent'>): void {
    for (let i = at; i < items.length; i++) {
      if (this.#left-- <= 0) {
        this.#interrupted.push({ items, map: undefined, indent, at: i });
        return;
      }
      this.#newLine(indent);
      this.#indicator('-', true);
      this.#node(items[i], { indent, mapping: false, key: false });
    }
  }

  #mapping(map: Record<string, unknown>, keys: readonly string[], context: Context): void {
    this.#entries(map, keys, { indent: context.indent < 0 ? 0 : context.indent + 2, at: 0 });
  }

  #entries(map: Record<string, unknown>, keys: readonly string[], { at, indent }: Pick<Rest, 'at' | 'indent'>): void {
    for (let i = at; i < keys.length; i++) {
      if (this.#left-- <= 0) {
        this.#interrupted.push({ items: keys, map, indent, at: i });
        return;
      }
      const key = keys[i] as string;
      refuseLongKey(key);
      this.#newLine(indent);
      if (Buffer.byteLength(key) <= MAX_SIMPLE_KEY_BYTES && !analyzeScalar(key).multiline) {
        this.#node(key, { indent, mapping: true, key: true });
        this.#write(':');
        this.#indention = false;
      } else {
        this.#indicator('?', true);
        this.#node(key, { indent, mapping: true, key: false });
        this.#newLine(indent);
        this.#indicator(':', true);
      }
      this.#node(map[key], { indent, mapping: true, key: false });
    }
  }

  #string(text: string, context: Context): void {
    const indent = context.indent < 0 ? 2 : context.indent + 2;
    const analysis = analyzeScalar(text);
    if (text.includes('\n') && analysis.blockAllowed && !context.key) return this.#literal(text, indent);
    const quoted = text.includes('\n') || needsQuotes(text);
    if (!quoted && analysis.plainAllowed) return this.#plain(text, indent, !context.key);
    if (!quoted && analysis.singleQuotedAllowed && !(context.key && analysis.multiline))
      return this.#singleQuoted(text, indent, !context.key);
    this.#doubleQuoted(text, indent, !context.key);
  }

  #plain(text: string, indent: number, fold: boolean): void {
    this.#space();
    this.#foldable(text, { indent, fold, atEdges: true });
    this.#indention = false;
  }

  #singleQuoted(text: string, indent: number, fold: boolean): void {
    this.#space();
    this.#write("'");
    this.#foldable(text.replaceAll("'", "''"), { indent, fold, atEdges: false });
    this.#write("'");
    this.#indention = false;
  }

  /** Writes text, breaking lines at single spaces once they are too long. */
  #foldable(text: string, options: { indent: number; fold: boolean; atEdges: boolean }): void {
    const { length } = text;
    let breaks = false;
    for (let i = 0; i < length;) {
      const c = text.charCodeAt(i);
      if (c === 0x20) {
        const inside = options.atEdges || (i > 0 && i < length - 1);
        if (options.fold && this.#column > WIDTH && inside && text.charCodeAt(i + 1) !== 0x20) {
          this.#newLine(options.indent);
          i++;
        }
        let end = i;
        while (end < length && text.charCodeAt(end) === 0x20) end++;
        if (end > i) this.#write(text.slice(i, end));
        i = end;
      } else if (isLineBreak(c)) {
        if (!breaks && c === 0x0a) this.#lineFeed();
        this.#lineFeed(text.charAt(i));
        breaks = true;
        i++;
      } else {
        if (breaks) this.#newLine(options.indent);
        breaks = false;
        let end = i + 1;
        while (end < length && text.charCodeAt(end) !== 0x20 && !isLineBreak(text.charCodeAt(end))) end++;
        this.#write(text.slice(i, end));
        i = end;
      }
    }
  }

  #doubleQuoted(text: string, indent: number, fold: boolean): void {
    if (controlCharacters.test(text)) throw new StatusError(notAllowed);
    const { length } = text;
    this.#space();
    this.#write('"');
    let spaces = false;
    for (let i = 0; i < length;) {
      const c = text.charCodeAt(i);
      if (c === 0x20) {
        if (fold && !spaces && this.#column > WIDTH && i > 0 && i < length - 1) {
          this.#newLine(indent);
          if (text.charCodeAt(i + 1) === 0x20) this.#write('\\');
        } else this.#write(' ');
        spaces = true;
        i++;
        continue;
      }
      spaces = false;
      let end = i;
      while (end < length && isBareInQuotes(text.charCodeAt(end))) end++;
      if (end > i) this.#write(text.slice(i, end));
      else {
        const code = text.codePointAt(i) ?? 0;
        this.#write(escaped(code));
        end = i + (code > 0xffff ? 2 : 1);
        if (this.#out.length > CHUNK_LENGTH) this.#flush();
      }
      i = end;
    }
    this.#write('"');
    this.#indention = false;
  }

  #literal(text: string, indent: number): void {
    this.#space();
    const hint = text[0] === ' ' || isLineBreak(text.charCodeAt(0)) ? '2' : '';
    const chomping = !text.endsWith('\n')
      ? '-'
      : text === '\n' || isLineBreak(text.charCodeAt(text.length - 2))
        ? '+'
        : '';
    this.#write(`|${hint}${chomping}`);
    this.#lineFeed();
    const body = text.endsWith('\n') ? text.slice(0, -1) : text;
    const lines = body.split('\n');
    lines.forEach((line, i) => {
      let start = 0;
      for (let at = 0; at <= line.length; at++) {
        const c = line.charCodeAt(at);
        const separator = c === 0x2028 || c === 0x2029;
        if (!separator && at < line.length) continue;
        if (at > start) {
          this.#indent(indent);
          this.#write(line.slice(start, at));
        }
        if (separator) this.#lineFeed(line.charAt(at));
        start = at + 1;
      }
      if (i < lines.length - 1 || text.endsWith('\n')) this.#lineFeed();
    });
    this.#indention = true;
  }

  #token(text: string): void {
    this.#space();
    this.#write(text);
    this.#indention = false;
  }

  /** `- `, `? ` and `: ` leave room for a collection on the same line. */
  #indicator(text: string, keepsIndention: boolean): void {
    this.#space();
    this.#write(text);
    this.#indention = this.#indention && keepsIndention;
  }

  #space(): void {
    if (this.#column > 0 && this.#last !== 0x20 && this.#last !== 0x0a) this.#write(' ');
  }

  /** Starts a line at the indentation, unless the current one has nothing but indentation up to there. */
  #newLine(indent: number): void {
    if (!this.#indention || this.#column > indent || (this.#column === indent && !this.#atBlank())) {
      if (this.#column > 0) this.#lineFeed();
    }
    this.#indent(indent);
    this.#indention = true;
  }

  #atBlank(): boolean {
    return this.#last === END || this.#last === 0x20 || this.#last === 0x0a;
  }

  /** @throws StatusError 406 where there would be far more indentation than anything else */
  #indent(column: number): void {
    const missing = column - this.#column;
    if (missing <= 0) return;
    this.#indentation += missing;
    const { value } = limits.yamlIndentation;
    if (this.#indentation > value && this.#indentation > INDENTATION_SHARE * (this.#size + this.#out.length))
      throw tooDeep();
    this.#out += ' '.repeat(missing);
    this.#last = 0x20;
    this.#column = column;
  }

  /** Ends the line; separators of lines and paragraphs stay what they are. */
  #lineFeed(character = '\n'): void {
    if (this.#out.length > CHUNK_LENGTH) this.#flush();
    this.#out += character;
    this.#last = 0x0a;
    this.#column = 0;
  }

  #write(text: string): void {
    this.#out += text;
    this.#last = text.charCodeAt(text.length - 1);
    this.#column += text.length;
  }
}

function presentKeys(object: Record<string, unknown>): string[] {
  const keys: string[] = [];
  for (const key of Object.keys(object)) if (object[key] !== undefined) keys.push(key);
  return keys;
}

/** Of a document that is larger than the limit of indentation, at most this share may be indentation. */
const INDENTATION_SHARE = 0.9;

function tooDeep(): StatusError {
  return new StatusError({
    status: 'Failure',
    message: 'the object nests too deeply to be written as YAML',
    reason: 'NotAcceptable',
    code: 406,
  });
}

function isBareInQuotes(code: number): boolean {
  return code !== 0x20 && code !== 0x22 && code !== 0x5c && isPrintable(code) && !isLineBreak(code);
}

const NAMED_ESCAPES = new Map([
  ['\0', '\\0'],
  ['\u0007', '\\a'],
  ['\b', '\\b'],
  ['\t', '\\t'],
  ['\n', '\\n'],
  ['\v', '\\v'],
  ['\f', '\\f'],
  ['\r', '\\r'],
  ['\u001b', '\\e'],
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\u0085', '\\N'],
  ['\u00a0', '\\_'],
  ['\u2028', '\\L'],
  ['\u2029', '\\P'],
]);

function escaped(code: number): string {
  const known = ESCAPES[code];
  if (known !== undefined) return known;
  const hex = HEX_BYTES;
  const low = (hex[(code >> 8) & 0xff] ?? '') + (hex[code & 0xff] ?? '');
  return code <= 0xffff ? `\\u${low}` : `\\U${hex[code >> 24] ?? ''}${hex[(code >> 16) & 0xff] ?? ''}${low}`;
}

const HEX_BYTES = Array.from({ length: 256 }, (_, byte) => byte.toString(16).toUpperCase().padStart(2, '0'));
/** Of all characters up to U+00FF, and of the others that have a name. */
const ESCAPES = HEX_BYTES.map((hex, code) => NAMED_ESCAPES.get(String.fromCharCode(code)) ?? `\\x${hex}`);
for (const [character, escape] of NAMED_ESCAPES) ESCAPES[character.charCodeAt(0)] = escape;

function scalarText(value: unknown): string {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'number')
    return Number.isInteger(value) && Math.abs(value) < 2 ** 64 ? String(value) : floatText(value);
  return value === null || value === undefined ? 'null' : JSON.stringify(value);
}

/** strconv.FormatFloat(value, 'g', -1, 64): exponents below -4 and from 6 on, at least two digits in them. */
function floatText(value: number): string {
  const exponent = Math.floor(Math.log10(Math.abs(value)));
  const text = exponent < -4 || exponent >= 6 ? value.toExponential() : String(value);
  return text.replace(/e([+-])(\d)$/, 'e$10$2');
}
