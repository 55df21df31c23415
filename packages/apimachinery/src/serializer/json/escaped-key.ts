const loneEscape = /"\\(?:["\\/bfnrt]|u[\da-f]{4})"\s*:/i;

/**
 * Whether a JSON text has a key that is one escaped character. Once an object with the key `\` has been made,
 * JSON.parse of
 * V8 13.6 may read such a key (`"\n"`) as `\` too (nodejs/node issue 63785): these texts are for the exact decoder.
 */
export function hasLoneEscapedKey(text: string): boolean {
  return text.includes('\\') && text.includes('"\\') && loneEscape.test(text);
}
