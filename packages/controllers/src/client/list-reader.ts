import { parseJSON } from '@kubechain/apimachinery';

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d] as const;
/** The key before the bracket that opens the items of a list, which is the only such key of its level. */
const itemsKey = '"items"';

/**
 * Takes a list apart while it is read: each item by itself, as the bytes that it has, and at the end what is around
 * them. Together they may be longer than a string can be (512 MiB), and are never in memory together.
 *
 *     {"kind":"PodList","metadata":{…},"items":[ {…} , {…} ]}
 *     └──────────────── envelope ──────────────┘└item┘ └item┘└┘ envelope
 */
export class ListReader {
  readonly #onItem: (bytes: Buffer) => void;
  /** Of what is around the items. */
  readonly #envelope: Uint8Array[] = [];
  /** Pieces of the item that has begun. */
  #item: Uint8Array[] = [];
  #depth = 0;
  #inString = false;
  #escaped = false;
  #place: 'envelope' | 'between' | 'item' = 'envelope';

  /** @param onItem each item as it is complete; the bytes are its own */
  constructor(onItem: (bytes: Buffer) => void) {
    this.#onItem = onItem;
  }

  /** The next piece, which may begin and end anywhere. */
  push(chunk: Uint8Array): void {
    if (chunk.length === 0) return;
    let from = 0;
    for (let i = this.#inString ? this.#afterString(chunk, 0) : 0; i < chunk.length; i++) {
      const c = chunk[i]!;
      if (c === quote) i = this.#afterString(chunk, i + 1) - 1;
      else if (c === openBrace || c === openBracket) {
        this.#depth++;
        if (this.#place === 'between') {
          this.#place = 'item';
          from = i;
        } else if (this.#place === 'envelope' && c === openBracket && this.#depth === 2) {
          this.#envelope.push(chunk.subarray(from, i));
          from = i;
          if (!endsWithItemsKey(this.#text(32))) continue;
          this.#envelope.push(chunk.subarray(i, i + 1));
          this.#place = 'between';
        }
      } else if (c === closeBrace || c === closeBracket) {
        this.#depth--;
        if (this.#place === 'item' && this.#depth === 2) {
          this.#finish(chunk.subarray(from, i + 1));
          this.#place = 'between';
        } else if (this.#place === 'between') {
          this.#place = 'envelope';
          from = i;
        }
      } else if (this.#place === 'between' && c > 0x20 && c !== comma) throw new SyntaxError('an item is no object');
    }
    if (this.#place === 'envelope') this.#envelope.push(chunk.subarray(from));
    else if (this.#place === 'item') this.#item.push(chunk.subarray(from));
  }

  /**
   * What was around the items, whose list is empty in it.
   * @throws SyntaxError where it is no whole JSON, or has items that were not found: the list would seem empty
   */
  end(): unknown {
    const envelope = parseJSON(Buffer.concat(this.#envelope).toString('utf8'));
    const { items } = (envelope ?? {}) as { readonly items?: unknown };
    if (Array.isArray(items) ? items.length > 0 : items !== undefined && items !== null)
      throw new SyntaxError('the items of a list were not found in it');
    return envelope;
  }

  /** Where the string ends of which a part begins at `start`; where the piece ends, if it goes on behind it. */
  #afterString(chunk: Uint8Array, start: number): number {
    let from = this.#escaped ? start + 1 : start;
    for (;;) {
      const end = chunk.indexOf(quote, from);
      const until = end === -1 ? chunk.length : end;
      let backslashes = 0;
      while (until - backslashes > from && chunk[until - backslashes - 1] === backslash) backslashes++;
      this.#escaped = backslashes % 2 === 1;
      this.#inString = end === -1 || this.#escaped;
      if (end === -1) return chunk.length;
      if (!this.#escaped) return end + 1;
      this.#escaped = false;
      from = end + 1;
    }
  }

  /** The last letters of the envelope. */
  #text(letters: number): string {
    let text = '';
    for (let i = this.#envelope.length - 1; i >= 0 && text.length < letters; i--)
      text = Buffer.from(this.#envelope[i]!).toString('latin1').slice(-letters) + text;
    return text;
  }

  #finish(last: Uint8Array): void {
    const bytes = Buffer.concat([...this.#item, last]);
    this.#item = [];
    this.#onItem(bytes);
  }
}

/** Whether text ends with the key of the items and its colon, and not with a part of a longer key. */
function endsWithItemsKey(text: string): boolean {
  const behind = text.trimEnd();
  const key = behind.endsWith(':') ? behind.slice(0, -1).trimEnd() : '';
  return key.endsWith(itemsKey) && key.at(-itemsKey.length - 1) !== '\\';
}
