import { halfToNumber } from './half-float.ts';
import {
  BREAK,
  BYTES,
  EIGHT_BYTES,
  FOUR_BYTES,
  INDEFINITE,
  LIST,
  MAP,
  ONE_BYTE,
  PRIMITIVE,
  TAG,
  TEXT,
  TWO_BYTES,
} from './wire.ts';

/** The first byte of an item and the number behind it. */
export interface Head {
  readonly type: number;
  /** The five lowest bits of the first byte. */
  readonly info: number;
  /** Length, count, value or tag number; 0 where the length is indefinite. A float is its number. */
  readonly value: number;
  /** The value where it does not fit into a double exactly. */
  readonly exact: bigint | undefined;
}

/** Of the number that stands behind the first byte of an item; 0 where there is none. */
function argumentBytes(info: number): number {
  return info < ONE_BYTE || info > EIGHT_BYTES ? 0 : 1 << (info - ONE_BYTE);
}

/**
 * Walks over the items of CBOR: of what is known to be well-formed (see checkWellFormed) with all methods, of other
 * bytes from head to head, asking {@link hasHead} before each.
 */
export class Cursor {
  readonly bytes: Uint8Array;
  readonly #view: DataView;
  at = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** The major type of the item that comes next. */
  get type(): number {
    return (this.bytes[this.at] as number) >> 5;
  }

  /** Whether what stands before the contents of the item that comes next is there as a whole. */
  get hasHead(): boolean {
    const first = this.bytes[this.at];
    return first !== undefined && this.bytes.length - this.at > argumentBytes(first & 0x1f);
  }

  /** Reads what stands before the contents of an item. */
  head(): Head {
    const first = this.bytes[this.at++] as number;
    const type = first >> 5;
    const info = first & 0x1f;
    const at = this.at;
    switch (info) {
      case ONE_BYTE:
        this.at += 1;
        return { type, info, value: this.#view.getUint8(at), exact: undefined };
      case TWO_BYTES: {
        this.at += 2;
        const value = this.#view.getUint16(at);
        return { type, info, value: type === PRIMITIVE ? halfToNumber(value) : value, exact: undefined };
      }
      case FOUR_BYTES:
        this.at += 4;
        return {
          type,
          info,
          value: type === PRIMITIVE ? this.#view.getFloat32(at) : this.#view.getUint32(at),
          exact: undefined,
        };
      case EIGHT_BYTES: {
        this.at += 8;
        if (type === PRIMITIVE) return { type, info, value: this.#view.getFloat64(at), exact: undefined };
        const exact = this.#view.getBigUint64(at);
        return { type, info, value: Number(exact), exact: exact > Number.MAX_SAFE_INTEGER ? exact : undefined };
      }
      default:
        return { type, info, value: info === INDEFINITE ? 0 : info, exact: undefined };
    }
  }

  /** The bytes of a byte or text string, of which the head comes next; those of all its chunks. */
  string(): Uint8Array {
    const { info, value } = this.head();
    if (info !== INDEFINITE) return this.#take(value);
    const chunks: Uint8Array[] = [];
    while (!this.isBreak()) {
      const chunk = this.string();
      if (chunk.length > 0) chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  }

  #take(length: number): Uint8Array {
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }

  /** Whether the end of an item without a length comes next, which is passed then. */
  isBreak(): boolean {
    if (this.bytes[this.at] !== BREAK) return false;
    this.at++;
    return true;
  }

  /** Whether one more item of a list (entry of a map) follows; `read`: how many were read. Passes the end. */
  more({ info, value }: Head, read: number): boolean {
    return info === INDEFINITE ? !this.isBreak() : read < value;
  }

  /** Passes one item. */
  skip(): void {
    const { type } = this;
    if (type === BYTES || type === TEXT) {
      this.string();
      return;
    }
    const head = this.head();
    if (type === TAG) this.skip();
    else if (type === LIST || type === MAP)
      for (let i = 0; this.more(head, i); i++) {
        this.skip();
        if (type === MAP) this.skip();
      }
  }
}
