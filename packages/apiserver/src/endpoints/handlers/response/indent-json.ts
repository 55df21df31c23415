import { noPause, type Pause } from '@kubechain/apimachinery';
import { TextPlace } from './text-place.ts';

/** Read between two pauses: a few milliseconds. */
const STEP_BYTES = 128 * 1024;

const quote = 0x22,
  comma = 0x2c,
  colon = 0x3a;
const openBrace = 0x7b,
  closeBrace = 0x7d,
  openBracket = 0x5b,
  closeBracket = 0x5d;

/**
 * Compact JSON with line breaks and two spaces of indentation a level, as Go's json.MarshalIndent writes it: empty
 * objects and arrays stay closed, nothing ends the last line. Works on the text, so that numbers keep their digits
 * and keys their order.
 */
export async function indentJSON(json: Uint8Array, pause: Pause = noPause): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of indentedJSON([json], pause)) chunks.push(chunk);
  return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
}

/** The same of a text in pieces, which may end anywhere; each is done with when the next one is asked for. */
export async function* indentedJSON(pieces: Iterable<Uint8Array>, pause: Pause = noPause): AsyncGenerator<Buffer> {
  const indenter = new JSONIndenter();
  for (const piece of pieces)
    for (let at = 0; at < piece.length; at += STEP_BYTES) {
      yield indenter.write(piece.subarray(at, at + STEP_BYTES));
      const turn = pause();
      // oxlint-disable-next-line no-await-in-loop -- what is written next stands behind what was written before
      if (turn !== undefined) await turn;
    }
}

/** Where in the text the last piece ended. */
class JSONIndenter {
  #depth = 0;
  /** Behind what opens an object or a list; whether it is empty is not known yet. */
  #opened = false;
  readonly #text = new TextPlace();

  /** The next piece, indented. */
  write(piece: Uint8Array): Buffer {
    const text = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    const parts: string[] = [];
    let from = 0;
    const copyTo = (end: number): void => {
      if (end > from) parts.push(text.toString('latin1', from, end));
      from = end;
    };
    for (let i = 0; i < text.length; i++) {
      if (this.#text.isInside) {
        i = this.#text.end(text, i);
        continue;
      }
      const c = text[i];
      const empty = this.#opened && (c === closeBrace || c === closeBracket);
      if (this.#opened && !empty) {
        copyTo(i);
        parts.push(lineBreak(this.#depth));
      }
      this.#opened = false;
      switch (c) {
        case quote:
          this.#text.begin();
          break;
        case openBrace:
        case openBracket:
          this.#depth++;
          this.#opened = true;
          break;
        case closeBrace:
        case closeBracket:
          this.#depth--;
          if (empty) break;
          copyTo(i);
          parts.push(lineBreak(this.#depth));
          break;
        case comma:
          copyTo(i + 1);
          parts.push(lineBreak(this.#depth));
          break;
        case colon:
          copyTo(i + 1);
          parts.push(' ');
          break;
        default:
          break;
      }
    }
    copyTo(text.length);
    return Buffer.from(parts.join(''), 'latin1');
  }
}

const breaks: string[] = [];

function lineBreak(depth: number): string {
  return (breaks[depth] ??= `\n${'  '.repeat(depth)}`);
}
