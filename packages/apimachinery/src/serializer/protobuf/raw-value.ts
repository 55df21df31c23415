import { escapeHTML } from '../../errors/go-format.ts';
import { parseJSON } from '../json/parse-text.ts';
import { plainValue } from '../json/plain-value.ts';
import { scanJSON } from '../json/scan.ts';
import { parseTree } from '../json/tree.ts';
import { stringifyJSON } from '../json/stringify.ts';

/** JSON text inside protobuf (RawExtension, FieldsV1, JSON) as a value; undefined when it is no JSON. */
export function readRawJSON(bytes: Buffer): unknown {
  const text = bytes.toString('utf8');
  try {
    const parsed: unknown = parseJSON(text);
    return scanJSON(bytes).exactNumbers ? plainValue(parseTree(text)) : parsed;
  } catch {
    return undefined;
  }
}

/**
 * The value as JSON text with its keys in the order they have: as Go's clients write what they bring, since some of
 * them compare it byte for byte with what comes back; sets of managed fields as upstream's server writes them.
 */
export function writeRawJSON(value: unknown, isFieldSet: boolean): string {
  const text = stringifyJSON(value);
  return isFieldSet ? text : escapeHTML(text);
}
