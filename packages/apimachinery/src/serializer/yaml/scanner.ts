import { Cursor, END, isBreakOrEnd, isSpaceOrEnd } from './cursor.ts';
import { scanBlock, scanPlain, scanQuoted } from './scan-scalar.ts';
import { scanDirective, scanName, scanTag } from './scan-tag.ts';
import type { Directive, WrittenTag } from './scan-tag.ts';

export type TokenKind =
  | 'alias'
  | 'anchor'
  | 'block end'
  | 'block entry'
  | 'block mapping'
  | 'block sequence'
  | 'directive'
  | 'document end'
  | 'document start'
  | 'end'
  | 'flow entry'
  | 'flow mapping'
  | 'flow mapping end'
  | 'flow sequence'
  | 'flow sequence end'
  | 'key'
  | 'scalar'
  | 'tag'
  | 'value';

/** A token; the scanner uses it again after the next one was asked for. */
export interface Token {
  readonly kind: TokenKind;
  /** Counted from 0, where the token starts. */
  readonly line: number;
  /** Text of scalars, names of anchors and aliases. */
  readonly text: string;
  /** Scalars without quotes or block indicator. */
  readonly plain: boolean;
  readonly tag: WrittenTag | undefined;
  readonly directive: Directive | undefined;
}

class QueuedToken implements Token {
  kind: TokenKind = 'end';
  line = 0;
  text = '';
  plain = false;
  tag: WrittenTag | undefined = undefined;
  directive: Directive | undefined = undefined;
  /** Which token of the stream it is. */
  number = 0;
  /** The place of a key that would start with it. */
  place: SimpleKey | undefined = undefined;
  /** It starts a key, as a `:` has told; and that key is the first of its block. */
  startsKey = false;
  startsMapping = false;
}

/** A place at which a key without `?` may have started: known when a `:` follows on the same line. */
class SimpleKey {
  possible = false;
  /** In a block whose other keys start at the same column: nothing else may stand here. */
  required = false;
  token: QueuedToken | undefined = undefined;
  number = 0;
  line = 0;
  at = 0;
  column = 0;
}

function startWith(key: SimpleKey, token: QueuedToken): void {
  key.token = token;
  key.number = token.number;
}

/** go-yaml's bounds: keys without `?`, `[` and `{` in each other, and blocks in each other. */
const MAX_KEY_LENGTH = 1024,
  MAX_NESTING = 10_000;

/**
 * Tokens of a YAML stream, as go-yaml (v2.4, a libyaml) scans them, with its refusals.
 *
 * Tokens wait in a queue while a key may still have started at the first of them: at most the 1024 characters that a
 * key may be long. Every character is scanned once.
 */
export class Scanner {
  readonly #cursor: Cursor;
  /** Filled from `#head` up to `#tail`; what is behind is used again. */
  readonly #queue: QueuedToken[] = [];
  #head = 0;
  #tail = 0;
  #pushed = 0;
  /** What stands before a token that turned out to start a key. */
  readonly #before = new QueuedToken();
  #ready = false;
  #flowLevel = 0;
  #indent = -1;
  readonly #indents: number[] = [];
  /** One for the block context, and one for each `[` and `{` that is open. */
  readonly #keys: SimpleKey[] = [new SimpleKey()];
  #keyAllowed = true;
  /** The key that would start with the token that is pushed next. */
  #nextKey: SimpleKey | undefined;

  constructor(text: string) {
    this.#cursor = new Cursor(text);
  }

  /** The next token. @throws DecodeError with go-yaml's text */
  peek(): Token {
    if (!this.#ready) this.#fill();
    const head = this.#queue[this.#head] as QueuedToken;
    if (!head.startsKey) return head;
    this.#before.kind = head.startsMapping ? 'block mapping' : 'key';
    this.#before.line = head.line;
    return this.#before;
  }

  /** Steps over the token that {@link peek} has given. */
  skip(): void {
    const head = this.#queue[this.#head] as QueuedToken;
    if (head.startsMapping) head.startsMapping = false;
    else if (head.startsKey) head.startsKey = false;
    else {
      this.#ready = false;
      this.#head++;
      if (this.#head === this.#tail) this.#head = this.#tail = 0;
    }
  }

  #fill(): void {
    while (this.#head === this.#tail || this.#headMayBeKey()) this.#fetch();
    this.#ready = true;
  }

  #headMayBeKey(): boolean {
    const head = this.#queue[this.#head];
    return head?.place !== undefined && head.place.token === head && this.#isValid(head.place);
  }

  #isValid(key: SimpleKey): boolean {
    if (!key.possible) return false;
    if (key.line >= this.#cursor.line && key.at + MAX_KEY_LENGTH >= this.#cursor.at) return true;
    if (key.required) throw this.#cursor.refuse("could not find expected ':'");
    key.possible = false;
    return false;
  }

  #push(kind: TokenKind): QueuedToken {
    const token = (this.#queue[this.#tail++] ??= new QueuedToken());
    token.kind = kind;
    token.line = this.#cursor.line;
    token.tag = undefined;
    token.directive = undefined;
    token.startsKey = token.startsMapping = false;
    token.number = this.#pushed++;
    token.place = this.#nextKey;
    if (this.#nextKey !== undefined) startWith(this.#nextKey, token);
    this.#nextKey = undefined;
    return token;
  }

  #fetch(): void {
    const cursor = this.#cursor;
    this.#skipSpace();
    this.#unroll(cursor.column);
    const c = cursor.code();
    if (c === END) return this.#fetchEnd();
    if (cursor.at === cursor.lineStart) {
      if (c === 0x25) {
        this.#endBlocks();
        const line = cursor.line;
        const directive = scanDirective(cursor);
        const token = this.#push('directive');
        token.line = line;
        token.directive = directive;
        return;
      }
      if (cursor.isDocumentMark()) {
        this.#endBlocks();
        this.#push(c === 0x2d ? 'document start' : 'document end');
        cursor.at += 3;
        return;
      }
    }
    switch (c) {
      case 0x5b:
        return this.#flowStart('flow sequence');
      case 0x7b:
        return this.#flowStart('flow mapping');
      case 0x5d:
        return this.#flowEnd('flow sequence end');
      case 0x7d:
        return this.#flowEnd('flow mapping end');
      case 0x2c:
        this.#removeKey();
        this.#keyAllowed = true;
        return this.#indicator('flow entry');
      case 0x2d:
        if (isSpaceOrEnd(cursor.code(1))) return this.#blockEntry();
        break;
      case 0x3f:
        if (this.#flowLevel > 0 || isSpaceOrEnd(cursor.code(1))) return this.#key();
        break;
      case 0x3a:
        if (this.#flowLevel > 0 || isSpaceOrEnd(cursor.code(1))) return this.#value();
        break;
      case 0x2a:
        return this.#anchor('alias');
      case 0x26:
        return this.#anchor('anchor');
      case 0x21: {
        this.#saveKey();
        this.#keyAllowed = false;
        const token = this.#push('tag');
        token.tag = scanTag(cursor);
        return;
      }
      case 0x7c:
      case 0x3e:
        if (this.#flowLevel === 0) {
          this.#removeKey();
          this.#keyAllowed = true;
          const token = this.#push('scalar');
          token.plain = false;
          token.text = scanBlock(cursor, this.#indent);
          return;
        }
        break;
      case 0x22:
      case 0x27: {
        this.#saveKey();
        this.#keyAllowed = false;
        const token = this.#push('scalar');
        token.plain = false;
        token.text = scanQuoted(cursor);
        return;
      }
    }
    if (!this.#startsPlain(c)) throw cursor.refuse('found character that cannot start any token');
    this.#saveKey();
    this.#keyAllowed = false;
    const token = this.#push('scalar');
    token.plain = true;
    const { brokeLine, value } = scanPlain(cursor, this.#indent + 1, this.#flowLevel > 0);
    token.text = value;
    if (brokeLine) this.#keyAllowed = true;
  }

  #startsPlain(c: number): boolean {
    const next = this.#cursor.code(1);
    switch (c) {
      case 0x2d:
        return next !== 0x20 && next !== 0x09;
      case 0x3f:
      case 0x3a:
        return this.#flowLevel === 0 && !isSpaceOrEnd(next);
      // # % @ ` | > and a tab; the others were tokens already.
      case 0x23:
      case 0x25:
      case 0x40:
      case 0x60:
      case 0x7c:
      case 0x3e:
      case 0x09:
        return false;
      default:
        return !isSpaceOrEnd(c);
    }
  }

  #skipSpace(): void {
    const cursor = this.#cursor;
    for (;;) {
      if (cursor.at === cursor.lineStart && cursor.code() === 0xfeff) {
        cursor.at++;
        cursor.lineStart++;
      }
      const tabs = this.#flowLevel > 0 || !this.#keyAllowed;
      for (let c = cursor.code(); c === 0x20 || (c === 0x09 && tabs); c = cursor.code()) cursor.at++;
      if (cursor.code() === 0x23) cursor.skipLine();
      if (!isBreakOrEnd(cursor.code()) || cursor.code() === END) return;
      cursor.skipBreak();
      if (this.#flowLevel === 0) this.#keyAllowed = true;
    }
  }

  #saveKey(): void {
    if (!this.#keyAllowed) return;
    this.#removeKey();
    const cursor = this.#cursor;
    const key = this.#keys.at(-1) as SimpleKey;
    key.possible = true;
    key.required = this.#flowLevel === 0 && this.#indent === cursor.column;
    key.token = undefined;
    key.line = cursor.line;
    key.at = cursor.at;
    key.column = cursor.column;
    this.#nextKey = key;
  }

  #removeKey(): void {
    const key = this.#keys.at(-1) as SimpleKey;
    if (!key.possible) return;
    if (key.required) throw this.#cursor.refuse("could not find expected ':'");
    key.possible = false;
  }

  #endBlocks(): void {
    this.#unroll(-1);
    this.#removeKey();
    this.#keyAllowed = false;
  }

  #fetchEnd(): void {
    const cursor = this.#cursor;
    if (cursor.column !== 0) {
      cursor.line++;
      cursor.lineStart = cursor.at;
    }
    this.#endBlocks();
    this.#push('end');
  }

  #indicator(kind: TokenKind): void {
    this.#push(kind);
    this.#cursor.at++;
  }

  #flowStart(kind: TokenKind): void {
    this.#saveKey();
    if (++this.#flowLevel > MAX_NESTING) throw this.#cursor.refuse(`exceeded max depth of ${MAX_NESTING}`);
    const key = new SimpleKey();
    this.#keys.push(key);
    this.#keyAllowed = true;
    startWith(key, this.#push(kind));
    this.#cursor.at++;
  }

  #flowEnd(kind: TokenKind): void {
    this.#removeKey();
    if (this.#flowLevel > 0) {
      this.#flowLevel--;
      const { number, token } = this.#keys.pop() as SimpleKey;
      // Where nothing inside could start a key, go-yaml forgets here that the bracket itself could.
      if (token?.number === number) token.place = undefined;
    }
    this.#keyAllowed = false;
    this.#indicator(kind);
  }

  #blockEntry(): void {
    if (this.#flowLevel === 0) {
      if (!this.#keyAllowed) throw this.#cursor.refuse('block sequence entries are not allowed in this context');
      this.#roll('block sequence', this.#cursor.column);
    }
    this.#removeKey();
    this.#keyAllowed = true;
    this.#indicator('block entry');
  }

  #key(): void {
    if (this.#flowLevel === 0) {
      if (!this.#keyAllowed) throw this.#cursor.refuse('mapping keys are not allowed in this context');
      this.#roll('block mapping', this.#cursor.column);
    }
    this.#removeKey();
    this.#keyAllowed = this.#flowLevel === 0;
    this.#indicator('key');
  }

  #value(): void {
    const key = this.#keys.at(-1) as SimpleKey;
    if (this.#isValid(key)) {
      const token = key.token as QueuedToken;
      token.startsKey = true;
      token.startsMapping = this.#deepen(key.column);
      key.possible = false;
      this.#keyAllowed = false;
    } else {
      if (this.#flowLevel === 0) {
        if (!this.#keyAllowed) throw this.#cursor.refuse('mapping values are not allowed in this context');
        this.#roll('block mapping', this.#cursor.column);
      }
      this.#keyAllowed = this.#flowLevel === 0;
    }
    this.#indicator('value');
  }

  #anchor(kind: 'alias' | 'anchor'): void {
    this.#saveKey();
    this.#keyAllowed = false;
    const token = this.#push(kind);
    this.#cursor.at++;
    token.text = scanName(this.#cursor);
    const c = this.#cursor.code();
    if (token.text === '' || !(isSpaceOrEnd(c) || '?:,]}%@`'.includes(String.fromCharCode(c))))
      throw this.#cursor.refuse('did not find expected alphabetic or numeric character');
  }

  /** Starts a block, if the column is deeper than the one that is open. */
  #roll(kind: TokenKind, column: number): void {
    if (this.#deepen(column)) this.#push(kind);
  }

  #deepen(column: number): boolean {
    if (this.#flowLevel > 0 || this.#indent >= column) return false;
    this.#indents.push(this.#indent);
    this.#indent = column;
    if (this.#indents.length > MAX_NESTING) throw this.#cursor.refuse(`exceeded max depth of ${MAX_NESTING}`);
    return true;
  }

  #unroll(column: number): void {
    if (this.#flowLevel > 0) return;
    while (this.#indent > column) {
      this.#push('block end');
      this.#indent = this.#indents.pop() ?? -1;
    }
  }
}
