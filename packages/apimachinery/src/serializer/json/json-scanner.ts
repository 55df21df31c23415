const quote = 0x22,
  backslash = 0x5c,
  openBrace = 0x7b,
  closeBrace = 0x7d,
  openBracket = 0x5b,
  closeBracket = 0x5d,
  comma = 0x2c,
  colon = 0x3a;

/** The JSON is not as it should be. */
export class ScanError extends Error {
  override readonly name = 'ScanError';
}

/**
 * Reads some members of a JSON text and steps over the others without making anything of them: for a few words in large
 * objects. Knows well-formed compact or spaced JSON; what is not well-formed is an error or read as far as it goes.
 */
export class JSONScanner {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(json: Uint8Array) {
    this.#bytes = Buffer.from(json.buffer, json.byteOffset, json.byteLength);
  }

  /**
   * Calls `member` at the value of each member of the object here; it reads the value, or leaves it (returns false).
   * @throws ScanError
   */
  object(member: (name: string) => boolean): void {
    this.#expect(openBrace);
    if (this.#next() === closeBrace) {
      this.#at++;
      return;
    }
    for (;;) {
      const name = this.string();
      this.#expect(colon);
      if (!member(name)) this.skip();
      if (this.#separator(closeBrace)) return;
    }
  }

  /** Calls `item` at each item of the list here; it must read it. @throws ScanError */
  list(item: () => void): void {
    this.#expect(openBracket);
    if (this.#next() === closeBracket) {
      this.#at++;
      return;
    }
    do item();
    while (!this.#separator(closeBracket));
  }

  /** The string here. @throws ScanError */
  string(): string {
    this.#next();
    const start = this.#at;
    this.#skipString();
    return JSON.parse(this.#bytes.toString('utf8', start, this.#at)) as string;
  }

  /** Whether `true` is here. @throws ScanError */
  isTrue(): boolean {
    const start = this.#at;
    this.skip();
    return this.#bytes.toString('latin1', start, this.#at).trim() === 'true';
  }

  /** The value here as it is written: a part of the text, which stays alive with it. @throws ScanError */
  raw(): Buffer {
    this.#next();
    const start = this.#at;
    this.skip();
    return this.#bytes.subarray(start, this.#at);
  }

  /** The value here as `raw`, without reading it, if it is written so, byte for byte; else it is left. */
  rawIf(value: Uint8Array): Buffer | undefined {
    this.#next();
    const start = this.#at;
    const end = start + value.length;
    if (end > this.#bytes.length || this.#bytes.compare(value, 0, value.length, start, end) !== 0) return undefined;
    if (end < this.#bytes.length && !isEnd(this.#bytes[end])) return undefined;
    this.#at = end;
    return this.#bytes.subarray(start, end);
  }

  /**
   * Goes to the value of the first member of that name of the object here, and reads nothing behind it: false where
   * there is none, or no object.
   * @throws ScanError
   */
  find(name: string): boolean {
    if (this.#next() !== openBrace) return false;
    this.#at++;
    if (this.#next() === closeBrace) return false;
    for (;;) {
      const found = this.string() === name;
      this.#expect(colon);
      if (found) return true;
      this.skip();
      if (this.#separator(closeBrace)) return false;
    }
  }

  /** Steps over the value here. @throws ScanError */
  skip(): void {
    const first = this.#next();
    if (first === quote) {
      this.#skipString();
      return;
    }
    if (first !== openBrace && first !== openBracket) {
      while (this.#at < this.#bytes.length && !isEnd(this.#bytes[this.#at])) this.#at++;
      return;
    }
    let depth = 0;
    do {
      switch (this.#bytes[this.#at]) {
        case undefined:
          throw new ScanError('unexpected end of JSON');
        case quote:
          this.#skipString();
          continue;
        case openBrace:
        case openBracket:
          depth++;
          break;
        case closeBrace:
        case closeBracket:
          depth--;
          break;
        default:
      }
      this.#at++;
    } while (depth > 0);
  }

  #skipString(): void {
    for (let end = this.#at; ;) {
      end = this.#bytes.indexOf(quote, end + 1);
      if (end < 0) throw new ScanError('unexpected end of JSON');
      let escapes = 0;
      while (this.#bytes[end - 1 - escapes] === backslash) escapes++;
      if (escapes % 2 === 1) continue;
      this.#at = end + 1;
      return;
    }
  }

  /** Steps over a comma (false) or the end of what is read (true). */
  #separator(end: number): boolean {
    const next = this.#next();
    if (next !== comma && next !== end) throw new ScanError(`unexpected byte ${String(next)} in JSON`);
    this.#at++;
    return next === end;
  }

  #expect(byte: number): void {
    if (this.#next() !== byte) throw new ScanError(`unexpected byte ${String(this.#bytes[this.#at])} in JSON`);
    this.#at++;
  }

  /** The next byte that is no space. */
  #next(): number | undefined {
    while (isSpace(this.#bytes[this.#at])) this.#at++;
    return this.#bytes[this.#at];
  }
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function isEnd(byte: number | undefined): boolean {
  return byte === comma || byte === closeBrace || byte === closeBracket || isSpace(byte);
}
