import { noPause, type Pause } from '@kubechain/apimachinery';

/** Read between two pauses: a few milliseconds. */
const STEP_BYTES = 128 * 1024;

const quote = 0x22,
  backslash = 0x5c,
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
  let parts: string[] = [];
  let looked = 0;
  const text = Buffer.from(json.buffer, json.byteOffset, json.byteLength);
  let depth = 0;
  let from = 0;
  const copyTo = (end: number): void => {
    if (end > from) parts.push(text.toString('latin1', from, end));
    from = end;
  };
  for (let i = 0; i < text.length; i++) {
    switch (text[i]) {
      case quote:
        while (text[++i] !== quote) if (text[i] === backslash) i++;
        break;
      case openBrace:
      case openBracket:
        copyTo(i + 1);
        if (text[i + 1] === closeBrace || text[i + 1] === closeBracket) {
          copyTo(++i + 1);
          break;
        }
        parts.push(lineBreak(++depth));
        break;
      case closeBrace:
      case closeBracket:
        copyTo(i);
        parts.push(lineBreak(--depth));
        break;
      case comma:
        copyTo(i + 1);
        parts.push(lineBreak(depth));
        if (i - looked > STEP_BYTES) {
          looked = i;
          chunks.push(Buffer.from(parts.join(''), 'latin1'));
          parts = [];
          const turn = pause();
          // oxlint-disable-next-line no-await-in-loop -- what is written next stands behind what was written before
          if (turn !== undefined) await turn;
        }
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
  chunks.push(Buffer.from(parts.join(''), 'latin1'));
  return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
}

const breaks: string[] = [];

function lineBreak(depth: number): string {
  return (breaks[depth] ??= `\n${'  '.repeat(depth)}`);
}
