import { seededRandom, type SeededRandom } from '@kubechain/shared-storage/testing';

/** Texts that parsers treat in a way of their own. */
const ODD_TEXTS = [
  '',
  ' ',
  '\0',
  '\n',
  '\r\n',
  '\t',
  '%',
  '%00',
  '%2f',
  '..',
  '.',
  '/',
  '//',
  '\\',
  '"',
  "'",
  '~',
  '~0',
  '~1',
  '-',
  '--',
  '<<',
  '*',
  '&a',
  '*a',
  '{}',
  '[]',
  'null',
  'true',
  '0',
  '-0',
  '1e999',
  '9223372036854775808',
  '0x1F',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'é',
  'İ',
  'ß',
  '\u2028',
  '\ufeff',
  '\ud800',
  '😀',
] as const;

/** Choices of one try, all from one seed. */
export class FuzzRandom {
  readonly below: SeededRandom;

  constructor(seed: number) {
    this.below = seededRandom(seed);
  }

  chance(oneIn: number): boolean {
    return this.below(oneIn) === 0;
  }

  pick<T>(from: readonly T[]): T {
    const at = this.below(from.length);
    if (at >= from.length) throw new RangeError('nothing to pick from');
    return from[at] as T;
  }

  /** `most` or fewer of what `make` makes. */
  list<T>(most: number, make: () => T): T[] {
    return Array.from({ length: this.below(most + 1) }, make);
  }

  /** Mostly small, sometimes at an edge. */
  integer(): number {
    if (this.chance(4))
      return this.pick([0, -1, 2 ** 31 - 1, 2 ** 31, 2 ** 32, 2 ** 53 - 1, -(2 ** 53), 65_535, 65_536]);
    return this.below(300) - 20;
  }

  bytes(most: number): Uint8Array {
    return Uint8Array.from({ length: this.below(most + 1) }, () => this.below(256));
  }

  /** Pieces of `alphabet` (texts) and odd ones; one in twenty is a long run of a single piece. */
  text(alphabet: readonly string[], most = 12): string {
    const piece = (): string => this.pick(this.chance(6) ? ODD_TEXTS : alphabet);
    if (this.chance(20)) return this.text(alphabet, 3) + piece().repeat(1 << this.below(15)) + this.text(alphabet, 3);
    return this.list(most, piece).join('');
  }

  /** Something like `bytes`: bits turned, parts dropped, doubled, moved or taken from elsewhere in it. */
  mutate(bytes: Uint8Array): Uint8Array {
    let out = Uint8Array.from(bytes);
    for (let rounds = 1 + this.below(4); rounds > 0; rounds--) {
      const at = this.below(out.length + 1);
      const end = Math.min(out.length, at + this.below(16));
      const before = out.subarray(0, at);
      const part = out.subarray(at, end);
      const after = out.subarray(end);
      switch (this.below(6)) {
        case 0:
          if (at < out.length) out[at] = (out[at] ?? 0) ^ (1 << this.below(8));
          break;
        case 1:
          out = joined(before, after);
          break;
        case 2:
          out = joined(before, part, part, after);
          break;
        case 3:
          out = joined(before, this.bytes(8), part, after);
          break;
        case 4:
          out = joined(before, new TextEncoder().encode(this.pick(ODD_TEXTS)), after);
          break;
        default: {
          const from = this.below(out.length + 1);
          out = joined(before, out.subarray(from, from + this.below(64)), part, after);
        }
      }
    }
    return out;
  }
}

function joined(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.concat(parts));
}
