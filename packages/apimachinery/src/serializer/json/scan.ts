const QUOTE = 0x22,
  COLON = 0x3a,
  BACKSLASH = 0x5c,
  MINUS = 0x2d,
  DOT = 0x2e;
const OPEN_BRACKET = 0x5b,
  CLOSE_BRACKET = 0x5d,
  OPEN_BRACE = 0x7b,
  CLOSE_BRACE = 0x7d;

/** Digits from which JSON.parse can lose precision: 2^53 has 16. */
const UNSAFE_DIGITS = 16;

/** What one pass over the bytes found out. */
export interface Scan {
  /** Members of all objects in the text; more than JSON.parse keeps when some keys are duplicates. */
  keys: number;
  /** Deepest nesting of objects and lists. */
  depth: number;
  /** A number is written with a point, an exponent or at least 16 digits, so that its text matters. */
  exactNumbers: boolean;
}

/** Scans without parsing, about as fast as JSON.parse itself; on malformed JSON the result means nothing. */
export function scanJSON(bytes: Uint8Array): Scan {
  let keys = 0,
    depth = 0,
    deepest = 0,
    exactNumbers = false;
  const length = bytes.length;
  for (let i = 0; i < length; i++) {
    const c = bytes[i] ?? 0;
    if (c === QUOTE) {
      let inside = bytes[++i];
      while (inside !== QUOTE && i < length) {
        if (inside === BACKSLASH) i++;
        inside = bytes[++i];
      }
      let after = i + 1;
      while (isSpace(bytes[after])) after++;
      if (bytes[after] === COLON) keys++;
    } else if (c === OPEN_BRACE || c === OPEN_BRACKET) {
      if (++depth > deepest) deepest = depth;
    } else if (c === CLOSE_BRACE || c === CLOSE_BRACKET) depth--;
    else if ((c >= 0x30 && c <= 0x39) || c === MINUS) {
      const start = i;
      let next = bytes[i + 1] ?? 0;
      while (next >= 0x30 && next <= 0x39) next = bytes[++i + 1] ?? 0;
      if (next === DOT || next === 0x65 || next === 0x45 || i - start >= UNSAFE_DIGITS - 1) exactNumbers = true;
      // A zero with a sign, which Go has not.
      else if (c === MINUS && i === start + 1 && bytes[i] === 0x30) exactNumbers = true;
    }
  }
  return { keys, depth: deepest, exactNumbers };
}

function isSpace(c: number | undefined): boolean {
  return c === 0x20 || c === 0x0a || c === 0x0d || c === 0x09;
}
