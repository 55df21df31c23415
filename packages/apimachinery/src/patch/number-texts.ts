import { escapeForHTML, goFloat } from '../errors/go-format.ts';
import { textOfBytes, utf8Text } from '../text/utf8.ts';
import { encodeJSONText } from '../serializer/json/encode.ts';
import { plainNumber } from '../serializer/json/plain-value.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
/** No byte above it is blank in JSON. */
const SPACE = 0x20;

/**
 * Numbers of a patch that are written otherwise than Go writes them (`1.0`, `1e3`, `-0`). The reference's patch library
 * never reads them: the patched document has them as they were written, and whether a field takes them is decided
 * then. So texts of a kind that no document has stand for them while the patch is applied.
 */
export class NumberTexts {
  /** The patch, with texts in place of such numbers. */
  readonly patch: Buffer;
  readonly #mark: string;
  readonly #literals: readonly string[];

  private constructor(patch: Buffer, mark: string, literals: readonly string[]) {
    this.patch = patch;
    this.#mark = mark;
    this.#literals = literals;
  }

  /**
   * Undefined where there are none, which is nearly always.
   * @param patch valid JSON
   */
  static of(patch: Uint8Array): NumberTexts | undefined {
    return NumberTexts.#marking(utf8Text(patch), (literal) => !isWrittenSo(literal), { texts: false });
  }

  /**
   * The same of texts that are values as well: those with escapes, or with bytes that are no UTF-8. Errors quote the
   * patched document with them as they were written.
   */
  static ofValues(patch: Uint8Array): NumberTexts | undefined {
    const text = textOfBytes(Buffer.from(patch.buffer, patch.byteOffset, patch.byteLength));
    return NumberTexts.#marking(
      text,
      (literal, isText) => (isText ? literal.includes('\\') || !literal.isWellFormed() : !isWrittenSo(literal)),
      { texts: true },
    );
  }

  static #marking(
    text: string,
    isMarked: (literal: string, isText: boolean) => boolean,
    { texts }: { readonly texts: boolean },
  ): NumberTexts | undefined {
    const literals: string[] = [];
    let mark = '';
    const patch = replaceLiterals(text, { texts }, (literal, isText) => {
      if (!isMarked(literal, isText)) return undefined;
      if (mark === '') mark = newMark();
      return `"${mark}${literals.push(isText ? escapeForHTML(literal) : literal) - 1}"`;
    });
    return patch === undefined ? undefined : new NumberTexts(Buffer.from(patch), mark, literals);
  }

  /** A patched document's text with what was replaced as it was written. */
  restore(json: string): string {
    const parts = json.split(`"${this.#mark}`);
    return parts
      .map((part, i) => {
        if (i === 0) return part;
        const end = part.indexOf('"');
        return `${this.#literals[Number(part.slice(0, end))] ?? ''}${part.slice(end + 1)}`;
      })
      .join('');
  }
}

/** Doubles that no integer of a patch is read as, apart from each other by more than they are exact to. */
const FIRST_FLOAT = 2 ** 70;
const BETWEEN_FLOATS = 2 ** 20;
/** All of them, as errors print them. */
const PRINTED_FLOAT = /\d\.\d+e\+21/g;

/**
 * Whole numbers of a patch that are written as floats (`1.0`, `1e3`): Go takes them for floats, and says so where it
 * refuses them. Here they are the same numbers as those written without; so, where a patch is refused, it is applied
 * again with others in their place, which are too large to be anything but floats.
 */
export class FloatMarks {
  readonly patch: Buffer;
  readonly #floats: ReadonlyMap<string, string>;

  private constructor(patch: Buffer, floats: ReadonlyMap<string, string>) {
    this.patch = patch;
    this.#floats = floats;
  }

  /**
   * Undefined where there are none.
   * @param patch valid JSON
   */
  static of(patch: Uint8Array): FloatMarks | undefined {
    const floats = new Map<string, string>();
    const marked = replaceLiterals(utf8Text(patch), { texts: false }, (literal) => {
      if (!/[.eE]/.test(literal) || !Number.isSafeInteger(Number(literal))) return undefined;
      const mark = FIRST_FLOAT + floats.size * BETWEEN_FLOATS;
      floats.set(goFloat(mark), goFloat(Number(literal)));
      return BigInt(mark).toString();
    });
    return marked === undefined ? undefined : new FloatMarks(Buffer.from(marked), floats);
  }

  /** A text with the numbers that stand for others printed as these. */
  restore(text: string): string {
    return text.replace(PRINTED_FLOAT, (printed) => this.#floats.get(printed) ?? printed);
  }
}

/**
 * JSON with other literals in place of numbers and, where `texts` says so, of texts that are values; undefined where
 * none is replaced.
 * @param text valid JSON
 */
function replaceLiterals(
  text: string,
  { texts }: { readonly texts: boolean },
  replacement: (literal: string, isText: boolean) => string | undefined,
): string | undefined {
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < text.length;) {
    const code = text.charCodeAt(at);
    const isText = code === QUOTE;
    if (!isText && !isNumberStart(code)) {
      at++;
      continue;
    }
    const end = isText ? stringEnd(text, at) : numberEnd(text, at);
    const isPassed = isText && (!texts || isKey(text, end));
    const other = isPassed ? undefined : replacement(text.slice(at, end), isText);
    if (other !== undefined) {
      parts.push(text.slice(from, at), other);
      from = end;
    }
    at = end;
  }
  if (parts.length === 0) return undefined;
  parts.push(text.slice(from));
  return parts.join('');
}

/** Whether a colon follows. */
function isKey(text: string, end: number): boolean {
  let at = end;
  while (text.charCodeAt(at) <= SPACE) at++;
  return text.charCodeAt(at) === COLON;
}

/**
 * What no text has by chance, and nobody can foresee: looking for one that the patch and the document do not have
 * would take as long as somebody wants it to. Private use characters are written as they are.
 */
function newMark(): string {
  const [first = 0, second = 0] = crypto.getRandomValues(new Uint32Array(2));
  return `\uE000${first.toString(36)}${second.toString(36)}\uE000`;
}

function stringEnd(text: string, start: number): number {
  let at = start + 1;
  for (let code = text.charCodeAt(at); code !== QUOTE && at < text.length; code = text.charCodeAt(at))
    at += code === BACKSLASH ? 2 : 1;
  return at + 1;
}

/** Digits and the minus. */
function isNumberStart(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || code === 0x2d;
}

function numberEnd(text: string, start: number): number {
  let at = start + 1;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    // + - . E e
    if (!isNumberStart(code) && code !== 0x2b && code !== 0x2e && code !== 0x45 && code !== 0x65) break;
  }
  return at;
}

/** Integers of an int64 are, and what encoding a float writes. */
function isWrittenSo(number: string): boolean {
  const value = plainNumber(number);
  return Number.isFinite(Number(value)) && encodeJSONText(value) === number;
}
