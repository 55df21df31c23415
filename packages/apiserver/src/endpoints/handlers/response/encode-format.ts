import { badRequest, decodeJSON, encodeYAML } from '@kubechain/apimachinery';
import type { OutputMediaType } from '../../negotiation/negotiate.ts';
import { indentJSON } from './indent-json.ts';

/** A body in its final form. `newline`: a line end is to follow it. */
export interface EncodedBody { readonly bytes: Uint8Array; readonly newline: boolean }

/**
 * JSON in the format that was negotiated.
 *
 * YAML is made from the JSON, so that both say the same in the same order; protobuf is made from objects and does
 * not come this way.
 */
export async function encodeFormat(json: Uint8Array, output: OutputMediaType, pretty: boolean): Promise<EncodedBody> {
  switch (output.mediaType.format) {
    case 'json': return pretty ? { bytes: indentJSON(json), newline: false } : { bytes: json, newline: true };
    case 'yaml': return { bytes: await encodeYAML(decodeJSON(json, undefined).object), newline: false };
    case 'protobuf': throw badRequest('this answer has no protobuf form');
    default: return output.mediaType.format satisfies never;
  }
}
