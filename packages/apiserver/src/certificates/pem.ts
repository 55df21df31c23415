/** One block of a PEM text. */
export interface PEMBlock {
  /** What stands behind BEGIN and END, e.g. `CERTIFICATE`; its bytes as Latin-1. */
  readonly type: string;
  /** Whether `Key: Value` lines come before the content. */
  readonly hasHeaders: boolean;
  /** Usually DER. */
  readonly bytes: Buffer;
}

const begin = '-----BEGIN ';
const end = '\n-----END ';
const dashes = '-----';

/**
 * The blocks of a PEM text, by exactly the rules of Go's encoding/pem.Decode (Go 1.26), which decides in the reference
 * what is read of a certificate or a request: a block begins and ends with a line, garbage around blocks is passed
 * over, the last BEGIN before an END counts, and a block that cannot be decoded is as if it were not there. Linear.
 */
export function* pemBlocks(data: Uint8Array | string): Generator<PEMBlock> {
  // Latin-1, so that places in the text are places in the bytes.
  const text = Buffer.from(data as Uint8Array).toString('latin1');
  for (let from = 0; ;) {
    const found = nextBlock(text, from);
    if (found === undefined) return;
    yield found.block;
    from = found.rest;
  }
}

/** The first block; undefined where there is none. */
export function firstPEMBlock(data: Uint8Array | string): PEMBlock | undefined {
  return pemBlocks(data).next().value ?? undefined;
}

/** Blocks as a PEM text of this type, 64 characters a line. */
export function encodePEM(type: string, der: Uint8Array): string {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return `${begin}${type}${dashes}\n${lines.map((line) => `${line}\n`).join('')}${end.slice(1)}${type}${dashes}\n`;
}

interface Found {
  readonly block: PEMBlock;
  /** Where the text goes on. */
  readonly rest: number;
}

function nextBlock(text: string, from: number): Found | undefined {
  // Go cuts the text behind each END that it has looked at; `start` is where what is left begins.
  for (let start = from; ;) {
    const endAt = text.indexOf(end, start);
    if (endAt < 0) return undefined;
    const afterEnd = endAt + end.length;
    const outcome = blockBefore(text, { start, endAt, afterEnd });
    if (outcome === 'none') return undefined;
    if (outcome !== 'passed') return outcome;
    start = afterEnd;
  }
}

interface EndLine {
  readonly start: number;
  /** Of the line break before END. */
  readonly endAt: number;
  /** Behind `-----END `. */
  readonly afterEnd: number;
}

/** The block that this END closes; `passed`: there is none, look on; `none`: the text ends within one. */
function blockBefore(text: string, { start, endAt, afterEnd }: EndLine): Found | 'passed' | 'none' {
  // Of what is left alone: lastIndexOf by itself would look back to the beginning of the text each time.
  const beginAt = start + text.slice(start, endAt).lastIndexOf(begin);
  if (beginAt < start || (beginAt > start && text[beginAt - 1] !== '\n')) return 'passed';
  const typeLine = lineAt(text, beginAt + begin.length);
  if (!typeLine.text.endsWith(dashes)) return 'passed';
  const type = typeLine.text.slice(0, -dashes.length);
  let body = typeLine.next;
  let hasHeaders = false;
  for (;;) {
    if (body >= text.length) return 'none';
    const line = lineAt(text, body);
    if (!line.text.includes(':')) break;
    hasHeaders = true;
    body = line.next;
    // A header that takes the END with it ends Go's search.
    if (body > endAt + 1) return 'none';
  }
  // The line break before END is also that of the last header: such a block has no content, and is none.
  if (hasHeaders && endAt < body) return 'passed';
  const trailer = type + dashes;
  if (!text.startsWith(trailer, afterEnd)) return 'passed';
  if (lineAt(text, afterEnd + trailer.length).text !== '') return 'passed';
  const bytes = endAt > body ? decodeBase64(text.slice(body, endAt)) : Buffer.alloc(0);
  if (bytes === undefined) return 'passed';
  return { block: { type, hasHeaders, bytes }, rest: lineAt(text, endAt + end.length - 1).next };
}

/** The line without white space at its end, and where the next one begins. */
function lineAt(text: string, at: number): { readonly text: string; readonly next: number } {
  const lineBreak = text.indexOf('\n', at);
  const next = lineBreak < 0 ? text.length : lineBreak + 1;
  let last = lineBreak < 0 ? text.length : lineBreak;
  if (lineBreak > at && text[lineBreak - 1] === '\r') last--;
  while (last > at && (text[last - 1] === ' ' || text[last - 1] === '\t')) last--;
  return { text: text.slice(at, last), next };
}

/** As base64.StdEncoding: line breaks do not count, padding must be there. Undefined for anything else. */
function decodeBase64(text: string): Buffer | undefined {
  const digits = text.replaceAll(/[ \t\r\n]/g, '');
  return digits.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(digits) ? Buffer.from(digits, 'base64') : undefined;
}
