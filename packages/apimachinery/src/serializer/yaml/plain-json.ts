import type { JSONValue } from '../../object/object.ts';
import { parseJSON } from '../json/parse-text.ts';
import { scanJSON } from '../json/scan.ts';
import { MAX_DEPTH } from '../json/syntax-error.ts';

/** Longer keys are no simple keys of YAML. */
const MAX_KEY_LENGTH = 1000;
/** What YAML reads otherwise than JSON: surrogates as escapes, characters that it does not allow, and bytes that are none. */
// oxlint-disable-next-line no-control-regex
const NOT_BOTH = /\\u[dD]|[\u007f-\u0084\u0086-\u009f\ufeff\ufffd-\uffff]/;

/**
 * The value of a YAML document that is simply JSON, keys as written; undefined for everything that needs the YAML
 * parser's opinion (duplicate keys, numbers whose text matters, odd characters). Clients of server-side apply mostly
 * send JSON, which this reads some fifty times as fast.
 */
export function plainJSON(bytes: Uint8Array): JSONValue | undefined {
  const first = bytes[0];
  if (first !== 0x7b) return undefined;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  // In ASCII only escapes and one control character can matter, and are found faster than by the expression. A byte
  // that is no character becomes one.
  if (
    (text.length !== bytes.length || text.includes('\\u') || text.includes('\u007f') || text.includes('\ufffd')) &&
    NOT_BOTH.test(text)
  )
    return undefined;
  // An escape of JSON that YAML does not have, or a backslash before a slash.
  if (text.includes('\\/')) return undefined;
  let value: JSONValue;
  try {
    value = parseJSON(text) as JSONValue;
  } catch {
    return undefined;
  }
  const { depth, exactNumbers, keys } = scanJSON(bytes);
  return exactNumbers || depth > MAX_DEPTH || countKeys(value) !== keys ? undefined : value;
}

/** Members of all objects; NaN, which equals nothing, when a key is too long or would name a prototype. */
function countKeys(value: JSONValue): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) count += countKeys(item);
    return count;
  }
  for (const key in value) {
    if (key.length > MAX_KEY_LENGTH || key === '__proto__') return Number.NaN;
    count += 1 + countKeys((value as Record<string, JSONValue>)[key] ?? null);
  }
  return count;
}
