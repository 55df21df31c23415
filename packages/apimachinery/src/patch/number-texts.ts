import { encodeJSONText } from '../serializer/json/encode.ts';
import { utf8Text } from '../serializer/utf8-text.ts';
import { plainNumber } from '../serializer/json/plain-value.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Numbers of a patch that are written otherwise than Go writes them (`1.0`, `1e3`, `-0`). The reference's patch library
 * never reads them: the patched document has them as they were written, and whether a field takes them is decided
 * then. So texts of a kind that no document has stand for them while the patch is applied.
 */
export class NumberTexts {
  /** The patch, with texts in place of such numbers. */
  readonly patch: Buffer;
  readonly #mark: string;
  readonly #numbers: readonly string[];

  private constructor(patch: Buffer, mark: string, numbers: readonly string[]) {
    this.patch = patch;
    this.#mark = mark;
    this.#numbers = numbers;
  }

  /**
   * Undefined where there are none, which is nearly always.
   * @param patch valid JSON
   */
  static of(patch: Uint8Array): NumberTexts | undefined {
    const text = utf8Text(patch);
    const numbers: string[] = [];
    const parts: string[] = [];
    let mark = '';
    let from = 0;
    for (let at = 0; at < text.length;) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) at = stringEnd(text, at);
      else if (!isNumberStart(code)) at++;
      else {
        const end = numberEnd(text, at);
        const number = text.slice(at, end);
        if (!isWrittenSo(number)) {
          if (mark === '') mark = newMark();
          parts.push(text.slice(from, at), `"${mark}${numbers.length}"`);
          numbers.push(number);
          from = end;
        }
        at = end;
      }
    }
    if (numbers.length === 0) return undefined;
    parts.push(text.slice(from));
    return new NumberTexts(Buffer.from(parts.join('')), mark, numbers);
  }

  /** A patched document's text with the numbers as they were written. */
  restore(json: string): string {
    const parts = json.split(`"${this.#mark}`);
    return parts
      .map((part, i) => {
        if (i === 0) return part;
        const end = part.indexOf('"');
        return `${this.#numbers[Number(part.slice(0, end))] ?? ''}${part.slice(end + 1)}`;
      })
      .join('');
  }
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
