/** Major types: the three highest bits of the first byte of an item (RFC 8949, section 3.1). */
export const POSITIVE = 0,
  NEGATIVE = 1,
  BYTES = 2,
  TEXT = 3,
  LIST = 4,
  MAP = 5,
  TAG = 6,
  PRIMITIVE = 7;

/** What the library of the reference calls the major types in its errors. */
export const typeNames: readonly string[] = [
  'positive integer',
  'negative integer',
  'byte string',
  'UTF-8 text string',
  'array',
  'map',
  'tag',
  'primitives',
];

/** Additional information: what follows the first byte of an item. */
export const ONE_BYTE = 24,
  TWO_BYTES = 25,
  FOUR_BYTES = 26,
  EIGHT_BYTES = 27,
  INDEFINITE = 31;

/** Ends items without a length. */
export const BREAK = 0xff;

/** Simple values, as additional information. */
export const FALSE = 20,
  TRUE = 21,
  NULL = 22,
  UNDEFINED = 23;

/** Tags that mean something to the reference. */
export const TIME_TEXT = 0,
  TIME_NUMBER = 1,
  BIG_POSITIVE = 2,
  BIG_NEGATIVE = 3,
  LATER_BASE64URL = 21,
  LATER_BASE64 = 22,
  LATER_BASE16 = 23,
  SELF_DESCRIBED = 55_799;

/** The tag that says that CBOR follows, which each encoded object begins with. */
export const CBOR_PREFIX: Buffer = Buffer.from([0xd9, 0xd9, 0xf7]);

/** Whether bytes begin as objects that are stored as CBOR do. */
export function isCBOR(bytes: Uint8Array): boolean {
  return bytes[0] === 0xd9 && bytes[1] === 0xd9 && bytes[2] === 0xf7;
}
