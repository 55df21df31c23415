import type { KindInfo } from '../../runtime/scheme.ts';
import type { Decoded, DecodeOptions } from '../decoded.ts';
import { decodeExactly } from '../json/decode.ts';
import { encodeJSONText } from '../json/encode.ts';
import { plainValue } from '../json/plain-value.ts';
import { parseYAML } from './parse.ts';
import { yamlText } from './yaml-text.ts';

/**
 * As decodeYAML, for those who cannot wait for the parser to be loaded.
 *
 * @throws DecodeError with upstream's text
 * @throws StatusError 413 for more nodes than a document may have
 */
export function decodeYAMLAtOnce(
  bytes: Uint8Array,
  expected: KindInfo | undefined,
  options: DecodeOptions = {},
): Decoded {
  const text = yamlText(bytes);
  const { value, duplicates } = parseYAML(text);
  return decodeExactly(value, {
    text,
    asJSON: () => encodeJSONText(plainValue(value)),
    expected,
    options,
    earlier: duplicates === undefined ? [] : [duplicates],
  });
}
