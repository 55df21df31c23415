/** Letters and digits that spell no words: no vowels, no 0, 1 or 3. */
const alphabet = 'bcdfghjklmnpqrstvwxz2456789';
const SUFFIX_LENGTH = 5;
/** Longest `generateName` that is used whole: a name has at most 63 characters. */
const MAX_BASE_LENGTH = 63 - SUFFIX_LENGTH;

/**
 * A name from `metadata.generateName` and five random characters; a longer base is cut to 58 bytes.
 * `random` gives numbers from 0 up to, not including, 1.
 */
export function generateName(base: string, random: () => number): string {
  return cut(base) + randomSuffix(SUFFIX_LENGTH, random);
}

/** Random characters for names (upstream util/rand.String). */
export function randomSuffix(length: number, random: () => number): string {
  let suffix = '';
  for (let i = 0; i < length; i++) suffix += alphabet[Math.floor(random() * alphabet.length)] ?? '';
  return suffix;
}

function cut(base: string): string {
  if (base.length <= MAX_BASE_LENGTH && Buffer.byteLength(base) <= MAX_BASE_LENGTH) return base;
  return Buffer.from(base, 'utf8').subarray(0, MAX_BASE_LENGTH).toString('utf8');
}
