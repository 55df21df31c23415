/** A number as it was written. */
export class RawNumber {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** An object with its members in order, duplicates included. */
export class RawObject {
  readonly keys: string[] = [];
  readonly values: RawValue[] = [];
}

/** JSON without loss: number texts, order of keys and duplicates survive. */
export type RawValue = null | boolean | string | RawNumber | RawObject | RawValue[];

/** Parses text that is known to be valid JSON (see syntaxError). Lone surrogates become U+FFFD, as in Go. */
export function parseTree(text: string): RawValue {
  return new TreeParser(text).value();
}

const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

class TreeParser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(): RawValue {
    this.#skipSpace();
    switch (this.#text[this.#at]) {
      case '{':
        return this.#object();
      case '[':
        return this.#array();
      case '"':
        return this.#string();
      case 't':
        this.#at += 4;
        return true;
      case 'f':
        this.#at += 5;
        return false;
      case 'n':
        this.#at += 4;
        return null;
      default:
        return new RawNumber(this.#match(NUMBER));
    }
  }

  #object(): RawObject {
    const object = new RawObject();
    this.#at++;
    this.#skipSpace();
    if (this.#text[this.#at] === '}') {
      this.#at++;
      return object;
    }
    for (;;) {
      this.#skipSpace();
      object.keys.push(this.#string());
      this.#skipSpace();
      this.#at++;
      object.values.push(this.value());
      this.#skipSpace();
      if (this.#text[this.#at++] === '}') return object;
    }
  }

  #array(): RawValue[] {
    const list: RawValue[] = [];
    this.#at++;
    this.#skipSpace();
    if (this.#text[this.#at] === ']') {
      this.#at++;
      return list;
    }
    for (;;) {
      list.push(this.value());
      this.#skipSpace();
      if (this.#text[this.#at++] === ']') return list;
    }
  }

  #string(): string {
    const start = this.#at;
    let end = this.#text.indexOf('"', start + 1);
    while (this.#escaped(end)) end = this.#text.indexOf('"', end + 1);
    this.#at = end + 1;
    const token = this.#text.slice(start, this.#at);
    return token.includes('\\') ? (JSON.parse(token) as string).toWellFormed() : token.slice(1, -1);
  }

  /** Whether an odd number of backslashes stands before the position. */
  #escaped(at: number): boolean {
    let start = at;
    while (this.#text[start - 1] === '\\') start--;
    return (at - start) % 2 === 1;
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const token = pattern.exec(this.#text)?.[0] ?? '';
    this.#at += token.length;
    return token;
  }

  #skipSpace(): void {
    for (;;) {
      const c = this.#text.charCodeAt(this.#at);
      if (c !== 0x20 && c !== 0x0a && c !== 0x0d && c !== 0x09) return;
      this.#at++;
    }
  }
}
