import { TextPlace } from './text-place.ts';

const quote = 0x22,
  comma = 0x2c,
  openBrace = 0x7b,
  closeBrace = 0x7d,
  openBracket = 0x5b,
  closeBracket = 0x5d;

/** Where the items of a list stand, and the rows of a Table. */
const members = ['items', 'rows'] as const;

/**
 * Finds the items in compact JSON of a list, or the rows of a Table, which comes in pieces that may end anywhere: so
 * that one of them at a time is worked on, however many there are.
 */
export class ListReader {
  /** All but the items. */
  readonly #frame: Buffer[] = [];
  /** What there was of the item that has begun. */
  #begun: Buffer[] = [];
  #depth = 0;
  readonly #text = new TextPlace();
  #ended = false;
  #member: (typeof members)[number] | undefined;

  /** The name of the member that has the items; undefined before its first one. */
  get member(): string | undefined {
    return this.#member;
  }

  /**
   * The items that end in the next piece. They are parts of it as long as they are in one: to be read before the next
   * item is asked for.
   */
  *items(piece: Uint8Array): Generator<Buffer> {
    const text = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    // What belongs to the frame, or to the item, from here on.
    let from = 0;
    for (let i = 0; i < text.length; i++) {
      if (this.#text.isInside) {
        i = this.#text.end(text, i);
        continue;
      }
      switch (text[i]) {
        case quote:
          this.#text.begin();
          break;
        case openBrace:
        case openBracket:
          this.#depth++;
          if (this.#member === undefined && this.#depth === 2 && text[i] === openBracket) {
            this.#frame.push(Buffer.from(text.subarray(from, i + 1)));
            from = i + 1;
            this.#member = members.find((name) => endsWith(this.#frame, `"${name}":[`));
          }
          break;
        case closeBrace:
        case closeBracket:
          this.#depth--;
          if (this.#isInList() && this.#depth === 2) {
            const end = text.subarray(from, i + 1);
            yield this.#begun.length === 0 ? end : Buffer.concat([...this.#begun, end]);
            this.#begun = [];
            from = i + 1;
          } else if (this.#isInList() && this.#depth === 1) {
            this.#ended = true;
            from = i;
          }
          break;
        case comma:
          if (this.#isInList() && this.#depth === 2) from = i + 1;
          break;
        default:
          break;
      }
    }
    if (from === text.length) return;
    const rest = Buffer.from(text.subarray(from));
    if (this.#isInList()) this.#begun.push(rest);
    else this.#frame.push(rest);
  }

  /** The list as it is so far, without its items: whole once all pieces were read. */
  frame(): Buffer {
    return Buffer.concat([...this.#frame, ...(this.#isInList() ? [Buffer.from(']}')] : [])]);
  }

  #isInList(): boolean {
    return this.#member !== undefined && !this.#ended;
  }
}

function endsWith(parts: readonly Buffer[], text: string): boolean {
  return Buffer.concat(parts).subarray(-text.length).toString('latin1') === text;
}
