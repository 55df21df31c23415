import { append } from '@kubechain/apimachinery';
/** Tags of ASN.1's basic encoding that certificates use. */
export const tags = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  oid: 0x06,
  utf8String: 0x0c,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const;

/** One element: tag, length, content. */
export function element(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), content]);
  const digits = Buffer.from(length.toString(16).padStart(length > 0xffff ? 6 : length > 0xff ? 4 : 2, '0'), 'hex');
  return Buffer.concat([Buffer.from([tag, 0x80 | digits.length]), digits, content]);
}

export function sequence(...contents: readonly Uint8Array[]): Buffer {
  return element(tags.sequence, ...contents);
}

/** `1.2.840.10045.4.3.2` and the like. */
export function oid(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number);
  const bytes = [first * 40 + second];
  for (const arc of rest) {
    const groups = [arc & 0x7f];
    for (let more = Math.floor(arc / 128); more > 0; more = Math.floor(more / 128))
      groups.unshift(0x80 | (more & 0x7f));
    append(bytes, groups);
  }
  return element(tags.oid, Buffer.from(bytes));
}

/** The dotted form of an object identifier's content. @throws RangeError for arcs that are too large to tell */
export function readOID(content: Buffer): string {
  const arcs: number[] = [];
  let arc = 0;
  for (const byte of content) {
    if (arc > Number.MAX_SAFE_INTEGER / 128) throw new RangeError('x509: malformed object identifier');
    arc = arc * 128 + (byte & 0x7f);
    if (byte < 0x80) {
      arcs.push(arc);
      arc = 0;
    }
  }
  const [both = 0, ...rest] = arcs;
  const first = Math.min(2, Math.floor(both / 40));
  return [first, both - first * 40, ...rest].join('.');
}

/** Two-digit years until 2049, four digits after that (RFC 5280 4.1.2.5). */
export function time(date: Date): Buffer {
  const digits = `${date.toISOString().replaceAll(/[-:T]/g, '').slice(0, 14)}Z`;
  return date.getUTCFullYear() < 2050
    ? element(tags.utcTime, Buffer.from(digits.slice(2)))
    : element(tags.generalizedTime, Buffer.from(digits));
}

/** Named bits by their numbers, the highest one last; trailing zero bits are not encoded. */
export function namedBits(bits: readonly number[]): Buffer {
  const last = Math.max(...bits);
  const bytes = Buffer.alloc(Math.floor(last / 8) + 1);
  for (const bit of bits) bytes[bit >> 3]! |= 0x80 >> (bit & 7);
  return element(tags.bitString, Buffer.from([7 - (last & 7)]), bytes);
}

/** An element of something encoded. */
export interface Parsed {
  readonly tag: number;
  readonly content: Buffer;
  /** With tag and length. */
  readonly whole: Buffer;
}

/**
 * The elements that stand one after the other in `content`. Reads what OpenSSL has accepted already, so it checks
 * nothing.
 */
export function elements(content: Buffer): Parsed[] {
  const found: Parsed[] = [];
  for (let at = 0; at < content.length;) {
    let start = at + 2;
    let length = content[at + 1]!;
    if (length >= 0x80) {
      const digits = length & 0x7f;
      length = content.readUIntBE(start, digits);
      start += digits;
    }
    found.push({
      tag: content[at]!,
      content: content.subarray(start, start + length),
      whole: content.subarray(at, start + length),
    });
    at = start + length;
  }
  return found;
}
