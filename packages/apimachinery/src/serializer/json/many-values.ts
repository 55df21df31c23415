import { requestEntityTooLarge } from '../../errors/constructors.ts';
import { limits } from '../../limits/limits.ts';

const QUOTE = 0x22,
  COMMA = 0x2c,
  BACKSLASH = 0x5c,
  OPEN_BRACKET = 0x5b,
  CLOSE_BRACKET = 0x5d,
  OPEN_BRACE = 0x7b,
  CLOSE_BRACE = 0x7d;

/** A value and its comma at the least. */
const BYTES_PER_VALUE = 2;

/**
 * Refuses a JSON text from outside that has more members and items than limits.bodyValues says. Shorter texts, which
 * cannot have so many, are not looked at; of malformed and of too deep ones whoever parses them tells, as the reference
 * does.
 *
 * @throws StatusError 413
 */
export function refuseManyValues(json: Uint8Array): void {
  const { value } = limits.bodyValues;
  if (json.length > value * BYTES_PER_VALUE && countValues(json) > value) throw manyValues();
}

/** What is answered where there are too many. */
export function manyValues(): Error {
  return requestEntityTooLarge(`limit is ${limits.bodyValues.value} values`);
}

/** Members of objects and items of lists in well-formed JSON; 0 for one that is deeper than limits.jsonDepth. */
export function countValues(json: Uint8Array): number {
  const deepest = limits.jsonDepth.value;
  let count = 0;
  let depth = 0;
  let opened = false;
  for (let i = 0; i < json.length; i++) {
    const c = json[i] as number;
    if (c <= 0x20) continue;
    if (opened && c !== CLOSE_BRACE && c !== CLOSE_BRACKET) count++;
    opened = c === OPEN_BRACE || c === OPEN_BRACKET;
    if (opened) {
      if (++depth > deepest) return 0;
    } else if (c === CLOSE_BRACE || c === CLOSE_BRACKET) depth--;
    if (c === COMMA) count++;
    else if (c === QUOTE) {
      for (i++; i < json.length && json[i] !== QUOTE; i++) if (json[i] === BACKSLASH) i++;
    }
  }
  return count;
}
