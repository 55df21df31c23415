import {
  corruptBase64,
  decodeJSON,
  decodeProtobuf,
  formatGroupVersion,
  gvkOf,
  isDecodeError,
  isProtobuf,
} from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import { RegistryError } from '../registry-error.ts';
import type { ResourceSpec } from './resource-spec.ts';

/**
 * The object of a resource in stored bytes, in the version in which it was stored. What names no kind is of the
 * resource's; what is nothing, or names no version, is an object without anything, as upstream reads it by the names
 * of its own memory. Custom objects have to name both.
 *
 * @throws DecodeError, RegistryError what is wrong with the bytes
 */
export function decodeStored(bytes: Uint8Array, spec: ResourceSpec): KubeObject {
  refuseUnknownForm(bytes);
  const object = isProtobuf(bytes)
    ? decodeProtobuf(bytes, undefined, { scheme: spec.scheme, schemeName }).object
    : decodeJSONObject(bytes, spec);
  if (object.kind !== spec.kind) throw otherKind(object, spec);
  return object;
}

function decodeJSONObject(bytes: Uint8Array, { kind, memoryVersion, scheme }: ResourceSpec): KubeObject {
  const expected = scheme.kind({ ...memoryVersion, kind });
  const isTyped = expected !== undefined && expected.unstructured !== true;
  const bare = { kind, apiVersion: formatGroupVersion(memoryVersion), metadata: {} };
  if (isTyped && bytes.length === 0) return bare;
  try {
    return decodeJSON(bytes, undefined, { scheme, schemeName }).object;
  } catch (error) {
    if (!isTyped || !isDecodeError(error) || error.gvk === undefined) throw error;
    const { code, gvk } = error;
    if ((code !== 'MissingKind' && code !== 'MissingVersion') || (gvk.kind !== '' && gvk.kind !== kind)) throw error;
    if (gvk.version === '') return bare;
    return decodeJSON(bytes, expected, { scheme, schemeName, anyVersion: true, accepts: () => true }).object;
  }
}

/**
 * What is in no form that is known is base64 of one to upstream, which tells where it is not; empty values and `null`
 * are left to the decoder. Source: apiserver/pkg/server/storage/storage_codec.go, 1.36.
 */
function refuseUnknownForm(bytes: Uint8Array): void {
  if (bytes[0] === openBrace || isProtobuf(bytes)) return;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1').trimStart();
  const offset = text.startsWith('{') ? undefined : corruptBase64(text);
  if (offset !== undefined) throw new RegistryError(`illegal base64 data at input byte ${offset}`);
}

const openBrace = 0x7b;

/** As the reference names the scheme that what is stored is read with. */
const schemeName = 'pkg/runtime/scheme.go:111';

/** Something of another kind is stored among the objects of a resource. */
function otherKind(object: KubeObject, { kind, memoryVersion, scheme }: ResourceSpec): RegistryError {
  const found = scheme.kind(gvkOf(object))?.goType ?? object.kind ?? '';
  const wanted = scheme.kind({ ...memoryVersion, kind });
  return new RegistryError(`converting (${found}) to (${wanted?.hubType ?? kind}): unknown conversion`);
}
