/** Bytes without it have no null, whatever names they have. */
export const nullText = Buffer.from('null', 'latin1');
const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;
const comma = 0x2c;
const openBracket = 0x5b;

/**
 * Finds, in compact JSON, a `null` that Go's encoder would not have written: an item of a list, or a member that has
 * none of the names that it is made with. A text that has such words in it may count as one that has.
 */
export class UnusualNull {
  /** Each within its quotes; few of them, so that they are compared byte by byte. */
  readonly #names: readonly Buffer[];

  constructor(names: Iterable<string>) {
    this.#names = [...names].map((name) => Buffer.from(`"${name}"`));
  }

  isIn(json: Buffer): boolean {
    for (let at = json.indexOf(nullText); at >= 0; at = json.indexOf(nullText, at + nullText.length)) {
      const before = json[at - 1];
      if (before === comma || before === openBracket) return true;
      // Anything else but a colon behind a key's quote is within a text.
      if (before !== colon || json[at - 2] !== quote || json[at - 3] === backslash) continue;
      if (!this.#isNamed(json, at - 1)) return true;
    }
    return false;
  }

  /** Whether one of the names ends there. */
  #isNamed(json: Buffer, end: number): boolean {
    for (const name of this.#names) {
      const begin = end - name.length;
      let i = name.length - 1;
      while (i >= 0 && json[begin + i] === name[i]) i--;
      if (i < 0) return true;
    }
    return false;
  }
}
