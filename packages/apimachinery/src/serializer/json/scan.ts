const QUOTE = 0x22, COLON = 0x3a, COMMA = 0x2c, BRACKET = 0x5b, BRACE = 0x7b, BACKSLASH = 0x5c, MINUS = 0x2d, DOT = 0x2e;

/** Digits from which JSON.parse can lose precision: 2^53 has 16. */
const UNSAFE_DIGITS = 16;

/** What one pass over the bytes found out. */
export interface Scan {
  /** Object keys in the text, if no string looks like one; then it equals the keys JSON.parse keeps, unless some are duplicates. */
  keys: number;
  /** `{` and `[` in the text: an upper bound of the nesting depth. */
  opens: number;
  /** A number is written with a point, an exponent or at least 16 digits, so that its text matters. */
  exactNumbers: boolean;
}

/** Scans without parsing; on malformed JSON the result means nothing. */
export function scanJSON(bytes: Uint8Array): Scan {
  let keys = 0, opens = 0, exactNumbers = false;
  const length = bytes.length;
  for (let i = 0; i < length; i++) {
    const c = bytes[i];
    if (c === COLON) {
      let before = i - 1;
      while (before > 0 && isSpace(bytes[before])) before--;
      if (bytes[before] !== QUOTE || bytes[before - 1] === BACKSLASH) continue;
      keys++;
    } else if (c === BRACKET) opens++;
    else if (c === BRACE) { opens++; continue; } else if (c !== COMMA) continue;
    // A value may follow.
    let at = i + 1;
    while (at < length && isSpace(bytes[at])) at++;
    const first = bytes[at] ?? 0;
    if ((first >= 0x30 && first <= 0x39) || first === MINUS) {
      const start = at;
      let next = bytes[++at] ?? 0;
      while (next >= 0x30 && next <= 0x39) next = bytes[++at] ?? 0;
      if (next === DOT || next === 0x65 || next === 0x45 || at - start >= UNSAFE_DIGITS) exactNumbers = true;
    }
  }
  return { keys, opens, exactNumbers };
}

function isSpace(c: number | undefined): boolean {
  return c === 0x20 || c === 0x0a || c === 0x0d || c === 0x09;
}
