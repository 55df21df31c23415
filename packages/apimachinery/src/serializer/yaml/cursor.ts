import { DecodeError } from '../decode-error.ts';

/*
 * Characters as go-yaml classifies them. All take a UTF-16 code unit; END stands for the end of the text.
 */

/** What {@link Cursor.code} gives behind the end. */
export const END = -1;

/** Space or tab. */
export function isBlank(c: number): boolean {
  return c === 0x20 || c === 0x09;
}

/** Line breaks of YAML 1.1. */
export function isLineBreak(c: number): boolean {
  return c === 0x0a || c === 0x0d || c === 0x85 || c === 0x2028 || c === 0x2029;
}

/** A line break or the end. */
export function isBreakOrEnd(c: number): boolean {
  return c < 0x20 ? c === 0x0a || c === 0x0d || c === END : c === 0x85 || c === 0x2028 || c === 0x2029;
}

/** A blank, a line break or the end: what ends most tokens. */
export function isSpaceOrEnd(c: number): boolean {
  return c <= 0x20 ? c === 0x20 || c === 0x0a || c === 0x09 || c === 0x0d || c === END : isLineBreak(c);
}

/** Letters, digits, `_` and `-`: names of anchors, directives and tag handles. */
export function isNameCharacter(c: number): boolean {
  return (c >= 0x61 && c <= 0x7a) || (c >= 0x41 && c <= 0x5a) || (c >= 0x30 && c <= 0x39) || c === 0x5f || c === 0x2d;
}

export function isDecimalDigit(c: number): boolean {
  return c >= 0x30 && c <= 0x39;
}

/** Where a reader stands in the text. Lines count from 0. */
export class Cursor {
  readonly text: string;
  at = 0;
  line = 0;
  lineStart = 0;

  constructor(text: string) {
    this.text = text;
  }

  get column(): number {
    return this.at - this.lineStart;
  }

  /** The character, or one `ahead` of it. */
  code(ahead = 0): number {
    const at = this.at + ahead;
    return at < this.text.length ? this.text.charCodeAt(at) : END;
  }

  /** Steps over one line break, if there is one. */
  skipBreak(): void {
    const c = this.code();
    if (!isLineBreak(c)) return;
    this.at += c === 0x0d && this.code(1) === 0x0a ? 2 : 1;
    this.line++;
    this.lineStart = this.at;
  }

  /** As {@link skipBreak}; the break as it counts in a scalar. */
  readBreak(): string {
    const c = this.code();
    this.skipBreak();
    return c === 0x2028 || c === 0x2029 ? String.fromCharCode(c) : '\n';
  }

  skipBlanks(): void {
    while (isBlank(this.code())) this.at++;
  }

  /** Steps to the end of the line. */
  skipLine(): void {
    while (!isBreakOrEnd(this.code())) this.at++;
  }

  /** `---` or `...` stands at the start of a line here, and nothing behind it. */
  isDocumentMark(): boolean {
    if (this.at !== this.lineStart) return false;
    const c = this.code();
    return (c === 0x2d || c === 0x2e) && this.code(1) === c && this.code(2) === c && isSpaceOrEnd(this.code(3));
  }

  /** What the scanner of go-yaml says of a mistake here: it counts lines from 1, and is silent about the first. */
  refuse(problem: string): DecodeError {
    return refusal(problem, this.line === 0 ? 0 : this.line + 1);
  }
}

/** go-yaml's text of a mistake; it leaves line 0 out. */
export function refusal(problem: string, line: number): DecodeError {
  return new DecodeError('Unreadable', `yaml: ${line === 0 ? '' : `line ${line}: `}${problem}`);
}
