import { decodeJSON, encodeYAML } from '@kubechain/apimachinery';
import type { OutputMediaType } from '../../negotiation/negotiate.ts';
import { jsonToProtobuf } from './encode-protobuf.ts';
import { indentJSON } from './indent-json.ts';

/** A body in its final form. `newline`: a line end is to follow it. */
export interface EncodedBody { readonly bytes: Uint8Array; readonly newline: boolean }

/**
 * JSON in the format that was negotiated.
 *
 * The other formats are made from the JSON, so that all say the same. Where objects are at hand, encode-protobuf.ts is the shorter way.
 */
export async function encodeFormat(json: Uint8Array, output: OutputMediaType, pretty: boolean): Promise<EncodedBody> {
  switch (output.mediaType.format) {
    case 'json': return pretty ? { bytes: indentJSON(json), newline: false } : { bytes: json, newline: true };
    case 'yaml': return { bytes: await encodeYAML(decodeJSON(json, undefined).object), newline: false };
    case 'protobuf': return { bytes: jsonToProtobuf(json), newline: false };
    default: return output.mediaType.format satisfies never;
  }
}
