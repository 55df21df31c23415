import { goQuote } from '../../errors/go-format.ts';
import { limits } from '../../limits/limits.ts';

/**
 * Deeper nesting is refused. encoding/json allows 10,000; everything here that walks an object recurses, and
 * Node's default stack overflows somewhere above 3,000.
 */
export const MAX_DEPTH = limits.jsonDepth.value;

const LITERALS = new Map<number, string>([
  [0x74, 'true'],
  [0x66, 'false'],
  [0x6e, 'null'],
]);

/**
 * Why the bytes are not one JSON value, in the words of Go's encoding/json scanner (Go 1.26); undefined when they are.
 * Only for text that JSON.parse has refused, or that may nest too deeply: it is a plain byte loop.
 */
export function syntaxError(bytes: Uint8Array): string | undefined {
  return new Scanner(bytes).scan();
}

/** Containers are tracked as a stack of closing expectations, so depth costs no call stack. */
class Scanner {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  scan(): string | undefined {
    const stack: ('{' | '[')[] = [];
    // What may come next; `…OrEnd` right after an opening bracket.
    let expect: 'value' | 'valueOrEnd' | 'key' | 'keyOrEnd' | 'after' = 'value';
    for (;;) {
      this.#skipSpace();
      const c = this.#bytes[this.#at];
      const top = stack.at(-1);
      if (expect === 'after' && top === undefined)
        return c === undefined ? undefined : this.#invalid('after top-level value');
      if (c === undefined) return 'unexpected end of JSON input';
      if (expect === 'after') {
        if (c === 0x2c) expect = top === '{' ? 'key' : 'value';
        else if (top === '{' ? c === 0x7d : c === 0x5d) stack.pop();
        else return this.#invalid(top === '{' ? 'after object key:value pair' : 'after array element');
        this.#at++;
        continue;
      }
      if (expect === 'key' || expect === 'keyOrEnd') {
        if (expect === 'keyOrEnd' && c === 0x7d) {
          stack.pop();
          this.#at++;
          expect = 'after';
          continue;
        }
        if (c !== 0x22) return this.#invalid('looking for beginning of object key string');
        const failure = this.#string();
        if (failure !== undefined) return failure;
        this.#skipSpace();
        if (this.#at >= this.#bytes.length) return 'unexpected end of JSON input';
        if (this.#bytes[this.#at] !== 0x3a) return this.#invalid('after object key');
        this.#at++;
        expect = 'value';
        continue;
      }
      if (expect === 'valueOrEnd' && c === 0x5d) {
        stack.pop();
        this.#at++;
        expect = 'after';
        continue;
      }
      if (c === 0x7b || c === 0x5b) {
        if (stack.length >= MAX_DEPTH) return this.#invalid('exceeded max depth');
        stack.push(c === 0x7b ? '{' : '[');
        expect = c === 0x7b ? 'keyOrEnd' : 'valueOrEnd';
        this.#at++;
        continue;
      }
      const failure = this.#scalar(c);
      if (failure !== undefined) return failure;
      expect = 'after';
    }
  }

  #scalar(c: number): string | undefined {
    if (c === 0x22) return this.#string();
    if (c === 0x2d || isDigit(c)) return this.#number();
    const literal = LITERALS.get(c);
    if (literal === undefined) return this.#invalid('looking for beginning of value');
    for (let i = 1; i < literal.length; i++) {
      this.#at++;
      if (this.#bytes[this.#at] !== literal.charCodeAt(i))
        return this.#invalid(`in literal ${literal} (expecting '${literal[i]}')`);
    }
    this.#at++;
    return undefined;
  }

  #string(): string | undefined {
    for (this.#at++; this.#at < this.#bytes.length; this.#at++) {
      const c = this.#bytes[this.#at] ?? 0;
      if (c === 0x22) {
        this.#at++;
        return undefined;
      }
      if (c < 0x20) return this.#invalid('in string literal');
      if (c !== 0x5c) continue;
      const escape = this.#bytes[++this.#at];
      if (escape === 0x75) {
        for (let i = 0; i < 4; i++) {
          const hex = this.#bytes[++this.#at];
          if (hex === undefined || !/[0-9a-fA-F]/.test(String.fromCharCode(hex)))
            return this.#invalid('in \\u hexadecimal character escape');
        }
      } else if (escape === undefined || !'"\\/bfnrt'.includes(String.fromCharCode(escape)))
        return this.#invalid('in string escape code');
    }
    return 'unexpected end of JSON input';
  }

  #number(): string | undefined {
    const digits = (context: string): string | undefined => {
      if (!isDigit(this.#bytes[this.#at])) return this.#invalid(context);
      while (isDigit(this.#bytes[this.#at])) this.#at++;
      return undefined;
    };
    if (this.#bytes[this.#at] === 0x2d) this.#at++;
    if (this.#bytes[this.#at] === 0x30) this.#at++;
    else {
      const failure = digits('in numeric literal');
      if (failure !== undefined) return failure;
    }
    if (this.#bytes[this.#at] === 0x2e) {
      this.#at++;
      const failure = digits('after decimal point in numeric literal');
      if (failure !== undefined) return failure;
    }
    if (this.#bytes[this.#at] === 0x65 || this.#bytes[this.#at] === 0x45) {
      this.#at++;
      if (this.#bytes[this.#at] === 0x2b || this.#bytes[this.#at] === 0x2d) this.#at++;
      return digits('in exponent of numeric literal');
    }
    return undefined;
  }

  #skipSpace(): void {
    for (;;) {
      const c = this.#bytes[this.#at];
      if (c !== 0x20 && c !== 0x0a && c !== 0x0d && c !== 0x09) return;
      this.#at++;
    }
  }

  /**
   * Go shows the byte as if it were a Latin-1 character, quoted like a Go rune. Behind the end it tries a space, which
   * what has begun may not go on with.
   */
  #invalid(context: string): string {
    const character = String.fromCharCode(this.#bytes[this.#at] ?? 0x20);
    const quoted = character === "'" ? `'\\''` : character === '"' ? `'"'` : `'${goQuote(character).slice(1, -1)}'`;
    return `invalid character ${quoted} ${context}`;
  }
}

function isDigit(c: number | undefined): boolean {
  return c !== undefined && c >= 0x30 && c <= 0x39;
}
