import { LinkProtocolError } from './frames.ts';
import { fieldsText, headersOf } from './fields.ts';
import { readIdentity, type ForwardedIdentity } from '../identity-headers.ts';

/** How many blocks a connection knows at once, and how long their texts may be together. */
const mostBlocks = 1_024;
const mostBlockBytes = 4 * 1024 * 1024;

/**
 * Numbers for the fields that a client's requests have in common: its own headers and who it is. They go over the link
 * once. When there are too many, numbers begin anew and are defined again.
 */
export class SentBlocks {
  readonly #numbers = new Map<string, number>();
  #bytes = 0;

  /**
   * The block of these names and values; `define` is called with its text when the other side does not know it yet.
   * @returns undefined for fields that a block cannot have
   */
  numberOf(fields: readonly string[], define: (number: number, text: string) => void): number | undefined {
    const text = fieldsText(fields);
    if (text === undefined) return undefined;
    let number = this.#numbers.get(text);
    if (number !== undefined) return number;
    if (this.#numbers.size >= mostBlocks || this.#bytes + text.length > mostBlockBytes) {
      this.#numbers.clear();
      this.#bytes = 0;
    }
    number = this.#numbers.size;
    this.#numbers.set(text, number);
    this.#bytes += text.length;
    define(number, text);
    return number;
  }
}

/** What many requests of one client have in common, read once. */
export interface HeaderBlock {
  /** Names and values in turn. */
  readonly raw: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly identity: ForwardedIdentity | undefined;
}

/** The blocks that the process in front has defined on one connection. */
export class ReceivedBlocks {
  readonly #blocks: HeaderBlock[] = [];

  /** @throws LinkProtocolError for a number out of turn, and for fields that are not pairs */
  define(number: number, raw: readonly string[]): void {
    if (number > this.#blocks.length || number >= mostBlocks)
      throw new LinkProtocolError(`block ${number} is out of turn`);
    if (raw.length % 2 !== 0) throw new LinkProtocolError('a name without a value');
    this.#blocks[number] = { raw, headers: headersOf(raw), identity: readIdentity({ rawHeaders: raw }) };
  }

  /** @throws LinkProtocolError */
  get(number: number): HeaderBlock {
    const block = this.#blocks[number];
    if (block === undefined) throw new LinkProtocolError(`block ${number} is not defined`);
    return block;
  }
}
