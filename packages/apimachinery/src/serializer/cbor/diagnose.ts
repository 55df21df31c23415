import { isUtf8 } from 'node:buffer';
import { Cursor, type Head } from './cursor.ts';
import {
  BYTES,
  FALSE,
  INDEFINITE,
  LIST,
  MAP,
  NEGATIVE,
  NULL,
  POSITIVE,
  TAG,
  TEXT,
  TRUE,
  TWO_BYTES,
  UNDEFINED,
} from './wire.ts';

/** Well-formed CBOR in diagnostic notation (RFC 8949, section 8), as errors quote it. */
export function diagnose(bytes: Uint8Array): string {
  const parts: string[] = [];
  new Diagnosis(new Cursor(bytes), parts).item();
  return parts.join('');
}

class Diagnosis {
  readonly #cursor: Cursor;
  readonly #parts: string[];

  constructor(cursor: Cursor, parts: string[]) {
    this.#cursor = cursor;
    this.#parts = parts;
  }

  item(): void {
    const { type } = this.#cursor;
    switch (type) {
      case POSITIVE:
      case NEGATIVE: {
        const { exact, value } = this.#cursor.head();
        this.#parts.push(String(type === POSITIVE ? (exact ?? value) : exact === undefined ? -1 - value : -1n - exact));
        return;
      }
      case BYTES:
      case TEXT:
        this.#string(type === BYTES ? "'" : '"');
        return;
      case LIST:
        this.#several('[', ']', () => {
          this.item();
        });
        return;
      case MAP:
        this.#several('{', '}', () => {
          this.item();
          this.#parts.push(': ');
          this.item();
        });
        return;
      case TAG:
        this.#parts.push(`${this.#cursor.head().value}(`);
        this.item();
        this.#parts.push(')');
        return;
      default:
        this.#parts.push(primitiveText(this.#cursor.head()));
    }
  }

  #several(open: string, close: string, item: () => void): void {
    const head = this.#cursor.head();
    this.#parts.push(head.info === INDEFINITE ? `${open}_ ` : open);
    for (let i = 0; this.#cursor.more(head, i); i++) {
      if (i > 0) this.#parts.push(', ');
      item();
    }
    this.#parts.push(close);
  }

  #string(quote: string): void {
    const { at, bytes } = this.#cursor;
    if (((bytes[at] as number) & 0x1f) !== INDEFINITE) {
      this.#parts.push(quoted(this.#cursor.string(), quote));
      return;
    }
    const head = this.#cursor.head();
    const chunks: string[] = [];
    while (this.#cursor.more(head, 0)) chunks.push(quoted(this.#cursor.string(), quote));
    this.#parts.push(chunks.length === 0 ? `${quote}${quote}_` : `(_ ${chunks.join(', ')})`);
  }
}

function quoted(bytes: Uint8Array, quote: string): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (quote === "'" && (buffer.length === 0 || !isUtf8(buffer))) return `h'${buffer.toString('hex')}'`;
  let text = quote;
  for (const unit of buffer.toString('utf8').split('')) text += unit === quote ? `\\${unit}` : written(unit);
  return text + quote;
}

const escapes: ReadonlyMap<string, string> = new Map([
  ['\t', String.raw`\t`],
  ['\n', String.raw`\n`],
  ['\r', String.raw`\r`],
  ['\\', '\\\\'],
]);

/** One UTF-16 unit of a text. */
function written(unit: string): string {
  if (unit >= ' ' && unit <= '~' && unit !== '\\') return unit;
  return escapes.get(unit) ?? `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function primitiveText({ info, value }: Head): string {
  if (info >= TWO_BYTES) {
    const text = String(value).replace('+', '');
    const [digits = '', exponent] = text.split('e');
    const decimal = digits.includes('.') ? digits : `${digits}.0`;
    return exponent === undefined ? decimal : `${decimal}e${Number(exponent) > 0 ? '+' : ''}${exponent}`;
  }
  switch (info) {
    case FALSE:
      return 'false';
    case TRUE:
      return 'true';
    case NULL:
      return 'null';
    case UNDEFINED:
      return 'undefined';
    default:
      return `simple(${value})`;
  }
}
