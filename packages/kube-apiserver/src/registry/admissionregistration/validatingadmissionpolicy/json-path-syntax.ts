import { FormatError, isPrintable } from '@kubechain/apimachinery';
import { quotedTextIsSound } from './quoted-text.ts';

/**
 * Filters may hold filters, each of which is read again from where it begins. Deeper ones are not looked at, so that
 * the work stays in proportion to the text.
 */
const MOST_FILTERS = 16;
const OPERATORS = '!<>=';
const TERMINATORS = ' \t\r\n.,[]$@{}';
const letter = /[\p{L}\p{Nd}_]/u;
const digit = /\p{Nd}/u;

/**
 * What client-go's JSONPath parser (util/jsonpath, 1.36) says of a template with actions in braces, or undefined where
 * it can read it. Only the syntax counts: nothing is looked up.
 */
export function jsonPathProblem(template: string): string | undefined {
  try {
    new Template(template, 0).read();
    return undefined;
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    return error.message;
  }
}

/** One template, read from its beginning to its end. Positions are those of UTF-16 units. */
class Template {
  readonly #text: string;
  /** Filters around it. */
  readonly #depth: number;
  #at = 0;
  /** Whether `..` is the last that an action has said. */
  #isRecursive = false;

  constructor(text: string, depth: number) {
    this.#text = text;
    this.#depth = depth;
  }

  /**
   * Whether the first action ends with `..`.
   * @throws FormatError for the first mistake
   */
  read(): boolean {
    let first: boolean | undefined;
    while ((this.#at = this.#text.indexOf('{', this.#at)) >= 0) {
      this.#at++;
      this.#isRecursive = false;
      this.#action();
      first ??= this.#isRecursive;
    }
    return first ?? false;
  }

  /** What is in braces, to behind the closing one. */
  #action(): void {
    for (;;) {
      if (this.#takes('}')) return;
      if (this.#takes('[?(')) this.#filter();
      else if (this.#takes('..')) this.#recursion();
      else this.#part();
    }
  }

  #part(): void {
    const character = this.#next();
    switch (character) {
      case '':
      case '\r':
      case '\n':
        throw new FormatError('unclosed action');
      case ' ':
      case '@':
      case '$':
        return;
      case '[':
        return this.#brackets();
      case '"':
      case "'":
        return this.#quoted(character);
      case '.':
        return this.#field();
      default:
    }
    this.#isRecursive = false;
    if (character === '+' || character === '-' || digit.test(character)) this.#number(character);
    else if (letter.test(character)) this.#identifier();
    else throw new FormatError(`unrecognized character in action: ${codePointText(character)}`);
  }

  #recursion(): void {
    if (this.#isRecursive) throw new FormatError('invalid multiple recursive descent');
    this.#isRecursive = true;
    if (letter.test(this.#peek())) this.#field();
  }

  #field(): void {
    this.#isRecursive = false;
    for (let character = this.#peek(); !isTerminator(character); character = this.#peek()) {
      this.#at += character.length;
      if (character === '\\') this.#next();
    }
  }

  #identifier(): void {
    for (let character = this.#peek(); !isTerminator(character); character = this.#peek()) this.#at += character.length;
  }

  #number(first: string): void {
    const start = this.#at - first.length;
    for (let one = this.#peek(); one === '.' || digit.test(one); one = this.#peek()) this.#at += one.length;
    const text = this.#text.slice(start, this.#at);
    if (!isNumber(text)) throw new FormatError(`cannot parse number ${text}`);
  }

  /** An index, a slice, a quoted key, or several of them. */
  #brackets(): void {
    const start = this.#at;
    const end = this.#text.indexOf(']', start);
    const inside = end < 0 ? '\n' : this.#text.slice(start, end);
    if (inside.includes('\n')) throw new FormatError('unterminated array');
    this.#at = end + 1;
    this.#isRecursive = false;
    if (inside.includes(',')) {
      for (const member of inside.split(',')) this.#inner(`[${withoutSpaces(member)}]`);
      return;
    }
    if (isQuotedKey(inside)) this.#isRecursive = this.#inner(`.${inside.slice(1, -1)}`);
    else if (inside !== '*') readSlice(inside);
  }

  /** To its closing parenthesis, which one pair of quotes may hide. */
  #filter(): void {
    const start = this.#at;
    let quote = '';
    let isClosed = false;
    for (;;) {
      const character = this.#next();
      if (character === '' || character === '\n') throw new FormatError('unterminated filter');
      if (character === '"' || character === "'") {
        if (quote === '') quote = character;
        else if (character === quote && !this.#isEscaped()) isClosed = true;
      } else if (character === ')' && (quote !== '') === isClosed) break;
    }
    const inside = this.#text.slice(start, this.#at - 1);
    if (this.#next() !== ']') throw new FormatError('unclosed array expect ]');
    this.#isRecursive = false;
    for (const side of sidesOf(inside)) this.#inner(side);
  }

  #quoted(quote: string): void {
    const start = this.#at;
    for (;;) {
      const character = this.#next();
      if (character === '' || character === '\n') throw new FormatError('unterminated quoted string');
      if (character === quote && !this.#isEscaped()) break;
    }
    const inside = this.#text.slice(start, this.#at - 1);
    if (!quotedTextIsSound(inside, quote))
      throw new FormatError(`unquote string ${quote}${inside}${quote} error invalid syntax`);
    this.#isRecursive = false;
  }

  /** Reads a part as an action of its own: whether it ends with `..`. */
  #inner(action: string): boolean {
    return this.#depth < MOST_FILTERS && new Template(`{${action}}`, this.#depth + 1).read();
  }

  /** Whether a backslash stands before what was taken last. */
  #isEscaped(): boolean {
    return this.#text[this.#at - 2] === '\\';
  }

  #takes(prefix: string): boolean {
    const isThere = this.#text.startsWith(prefix, this.#at);
    if (isThere) this.#at += prefix.length;
    return isThere;
  }

  /** The character at the position, a whole code point; nothing at the end. */
  #peek(): string {
    const code = this.#text.codePointAt(this.#at);
    return code === undefined ? '' : String.fromCodePoint(code);
  }

  #next(): string {
    const character = this.#peek();
    this.#at += character.length;
    return character;
  }
}

function isTerminator(character: string): boolean {
  return character === '' || TERMINATORS.includes(character);
}

/** Digits with at most one point, of a size that a float64 has. */
function isNumber(text: string): boolean {
  let digits = 0;
  let points = 0;
  for (const character of text.startsWith('+') || text.startsWith('-') ? text.slice(1) : text) {
    if (character === '.') points++;
    else if (character >= '0' && character <= '9') digits++;
    else return false;
  }
  return digits > 0 && points <= 1 && Number.isFinite(Number(text));
}

function isQuotedKey(text: string): boolean {
  return text.length >= 2 && text.indexOf("'", 1) === text.length - 1 && text.startsWith("'");
}

/** `from:to:step`, each of which may be left out. @throws FormatError */
function readSlice(text: string): void {
  const parts = text.split(':', 4);
  if (parts.length > 3 || !parts.every(isSignedDigits)) throw new FormatError(`invalid array index ${text}`);
  for (const part of parts)
    if (part !== '' && !isInt64(part)) throw new FormatError(`array index ${part} is not a number`);
}

/** Digits behind at most one minus; either may be missing. */
function isSignedDigits(text: string): boolean {
  for (let i = text.startsWith('-') ? 1 : 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x30 || unit > 0x39) return false;
  }
  return true;
}

function isInt64(text: string): boolean {
  const isNegative = text.startsWith('-');
  const digits = isNegative ? text.slice(1) : text;
  let zeros = 0;
  while (digits[zeros] === '0') zeros++;
  if (digits === '' || digits.length - zeros > 19) return false;
  return BigInt(digits.slice(zeros) || '0') <= 2n ** 63n - (isNegative ? 0n : 1n);
}

/** What a filter compares, or all of it where it compares nothing. */
function sidesOf(text: string): readonly string[] {
  let start = 0;
  while (start < text.length && !OPERATORS.includes(text.charAt(start))) start++;
  let end = start;
  while (end < text.length && OPERATORS.includes(text.charAt(end))) end++;
  // Something is left to compare with, if only the end of the operator.
  const right = Math.min(end, text.length - 1);
  return start === 0 || right <= start ? [text] : [text.slice(0, start), text.slice(right)];
}

function withoutSpaces(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && text[start] === ' ') start++;
  while (end > start && text[end - 1] === ' ') end--;
  return text.slice(start, end);
}

/** `%#U`: `U+0021 '!'`. */
function codePointText(character: string): string {
  const code = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  return isPrintable(character) ? `${code} '${character}'` : code;
}
