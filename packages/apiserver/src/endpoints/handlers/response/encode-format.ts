import { decodeJSON, encodeCBOR, encodeYAML } from '@kubechain/apimachinery';
import type { KubeObject, Schema } from '@kubechain/apimachinery';
import type { Turns } from '../../../request/turns.ts';
import type { MediaFormat } from '../../../negotiation/media-types.ts';
import type { OutputMediaType } from '../../../negotiation/negotiate.ts';
import { encodeProtobufObject } from './encode-protobuf.ts';
import { indentJSON } from './indent-json.ts';

/** A body in its final form. `newline`: a line end is to follow it. */
export interface EncodedBody {
  readonly bytes: Uint8Array;
  readonly newline: boolean;
}

/**
 * JSON in the format that was negotiated.
 *
 * The other formats are made from the JSON, so that all say the same. Where objects are at hand, encode-protobuf.ts is
 * the shorter way.
 */
export async function encodeFormat(
  json: Uint8Array,
  output: OutputMediaType,
  { pretty, schema, turns }: { readonly pretty: boolean; readonly schema?: Schema; readonly turns: Turns },
): Promise<EncodedBody> {
  const { format } = output.mediaType;
  if (format === 'json')
    return pretty
      ? { bytes: await indentJSON(json, () => turns.next()), newline: false }
      : { bytes: json, newline: true };
  const { object } = decodeJSON(json, undefined);
  await turns.next();
  return encodeObject(object, { format, schema, turns });
}

/**
 * An object in a format other than JSON. It may lack apiVersion, as the documents at /api do. `schema`: tells CBOR what
 * is bytes.
 * @throws StatusError 406 when its type has no protobuf form
 */
export async function encodeObject(
  object: KubeObject,
  {
    format,
    schema,
    turns,
  }: { readonly format: Exclude<MediaFormat, 'json'>; readonly schema?: Schema | undefined; readonly turns: Turns },
): Promise<EncodedBody> {
  switch (format) {
    case 'yaml':
      return { bytes: await encodeYAML(object, undefined, () => turns.next()), newline: false };
    case 'protobuf':
      return { bytes: encodeProtobufObject(object), newline: false };
    case 'cbor':
      return { bytes: encodeCBOR(object, { schema }), newline: false };
    default:
      return format satisfies never;
  }
}
