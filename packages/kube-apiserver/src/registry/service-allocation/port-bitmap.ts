import type { PortRange } from './port-range.ts';
import { hasPort } from './port-range.ts';

/**
 * Which ports of a range are taken, as RangeAllocation stores it: the bytes of one big-endian number whose bit `port
 * - base` is set (pkg/registry/core/service/allocator, 1.36).
 */
export class PortBitmap {
  readonly range: PortRange;
  /** Bit `i` is bit `i % 8` of byte `i / 8`: the stored bytes in reverse. */
  readonly #bytes: Uint8Array;

  constructor(range: PortRange, data?: string | null) {
    this.range = range;
    this.#bytes = new Uint8Array(Math.ceil(range.size / 8));
    const stored = Buffer.from(data ?? '', 'base64').reverse();
    this.#bytes.set(stored.subarray(0, this.#bytes.length));
  }

  /** Bytes as they are stored, in base64; none for an empty bitmap. */
  get data(): string {
    let length = this.#bytes.length;
    while (length > 0 && this.#bytes[length - 1] === 0) length--;
    return Buffer.from(this.#bytes.subarray(0, length)).reverse().toString('base64');
  }

  has(port: number): boolean {
    const bit = port - this.range.base;
    return hasPort(this.range, port) && ((this.#bytes[bit >> 3] ?? 0) & (1 << (bit & 7))) !== 0;
  }

  /** Takes a port of the range. */
  add(port: number): void {
    this.#write(port, true);
  }
  /** Frees a port; others than the range's are ignored. */
  remove(port: number): void {
    this.#write(port, false);
  }

  *ports(): Generator<number> {
    for (let port = this.range.base; port < this.range.base + this.range.size; port++) if (this.has(port)) yield port;
  }

  /**
   * A free port: from a random one of the upper band on and around, then the lower band likewise. undefined: all are
   * taken.
   */
  findFree(random: () => number): number | undefined {
    const { band, size } = this.range;
    return this.#findIn(band, size, random) ?? this.#findIn(0, band, random);
  }

  #findIn(low: number, high: number, random: () => number): number | undefined {
    const size = high - low;
    const start = Math.floor(random() * size);
    for (let i = 0; i < size; i++) {
      const port = this.range.base + low + ((start + i) % size);
      if (!this.has(port)) return port;
    }
    return undefined;
  }

  #write(port: number, taken: boolean): void {
    if (!hasPort(this.range, port)) return;
    const bit = port - this.range.base;
    const byte = this.#bytes[bit >> 3] ?? 0;
    this.#bytes[bit >> 3] = taken ? byte | (1 << (bit & 7)) : byte & ~(1 << (bit & 7));
  }
}
