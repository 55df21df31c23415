import { createHash } from 'node:crypto';
import type { Randomness, RepeatableDraws } from './randomness.ts';

/** The variable by which a process is told the seed of its chain. */
export const seedVariable = 'KUBECHAIN_SEED';

/**
 * Where time begins in a chain that has a seed, and stands still, ms since the epoch. Past, so that clients with the
 * machine's time see ages that are ages.
 */
export const seededStartMs = Date.UTC(2025, 0, 1);

/**
 * Randomness that is the same in each run with the same seed. How often a purpose or a key was drawn for is kept for as
 * long as the process lives.
 * @param of tells processes of one chain apart
 */
export function seededRandomness(seed: number, of: string): Randomness {
  const root = `${seed}\0${of}`;
  return { ...drawsOf(root), repeatable: new Repeatable(root) };
}

/** Of the process that was told a seed by whoever started it. */
export function seedOf(env: Readonly<Record<string, string | undefined>>): number | undefined {
  const text = env[seedVariable];
  return text === undefined || text === '' ? undefined : Number(text);
}

class Repeatable implements RepeatableDraws {
  readonly #root: string;
  readonly #drawn = new Map<string, number>();
  readonly #created = new Map<string, number>();

  constructor(root: string) {
    this.#root = root;
  }

  of(purpose: string): Pick<Randomness, 'newUID' | 'random'> {
    const before = this.#drawn.get(purpose) ?? 0;
    this.#drawn.set(purpose, before + 1);
    return drawsOf(`${this.#root}\0draw\0${purpose}\0${before}`);
  }

  uidOf(key: string): string {
    return uuidOf(digest(`${this.#root}\0uid\0${key}\0${this.#created.get(key) ?? 0}`));
  }

  created(key: string): void {
    this.#created.set(key, (this.#created.get(key) ?? 0) + 1);
  }
}

/** The draws of one root, one after the other. */
function drawsOf(root: string): Pick<Randomness, 'newUID' | 'random'> {
  let numbers = 0;
  let uids = 0;
  return {
    random: () => digest(`${root}\0number\0${numbers++}`).readUIntBE(0, 6) / 2 ** 48,
    newUID: () => uuidOf(digest(`${root}\0id\0${uids++}`)),
  };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** RFC 9562, version 4. */
function uuidOf(bytes: Buffer): string {
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString('hex', 0, 16);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
