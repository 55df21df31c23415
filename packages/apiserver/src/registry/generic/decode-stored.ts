import {
  corruptBase64,
  decodeJSON,
  decodeProtobuf,
  formatGroupVersion,
  gvkOf,
  isDecodeError,
  isProtobuf,
} from '@kubechain/apimachinery';
import type { Decoded, DecodeOptions, KindInfo, KubeObject } from '@kubechain/apimachinery';
import { decodeYAMLAtOnce } from '@kubechain/apimachinery/yaml';
import { RegistryError } from '../registry-error.ts';
import type { ResourceSpec } from './resource-spec.ts';

/**
 * The object of a resource in stored bytes, in the version in which it was stored. What names no kind is of the
 * resource's; what is nothing, or names no version, is an object without anything, as upstream reads it by the names
 * of its own memory. Custom objects have to name a kind, and are JSON.
 *
 * @throws DecodeError, RegistryError what is wrong with the bytes
 */
export function decodeStored(bytes: Uint8Array, spec: ResourceSpec): KubeObject {
  const object = decodeInAnyForm(bytes, spec);
  if (object.kind !== spec.kind) throw otherKind(object, spec);
  return object;
}

/**
 * Protobuf and JSON are told by how they begin. All else is YAML, and if it is none, base64 of one of the three, whose
 * reader has the last word (apiserver/pkg/server/storage/storage_codec.go, 1.36).
 */
function decodeInAnyForm(bytes: Uint8Array, spec: ResourceSpec): KubeObject {
  if (isProtobuf(bytes) || beginsAsJSON(bytes)) return decodeKnownForm(bytes, spec);
  try {
    return decodeYAMLObject(bytes, spec);
  } catch {
    const decoded = Buffer.from(base64Of(bytes), 'base64');
    return isProtobuf(decoded) || beginsAsJSON(decoded)
      ? decodeKnownForm(decoded, spec)
      : decodeYAMLObject(decoded, spec);
  }
}

function decodeKnownForm(bytes: Uint8Array, spec: ResourceSpec): KubeObject {
  return isProtobuf(bytes)
    ? decodeMessage(bytes, spec)
    : decodeText(spec, (expected, options) => decodeJSON(bytes, expected, options));
}

/** What names no kind is of the resource's; protobuf of upstream's own memory, which names no version, there is not. */
function decodeMessage(bytes: Uint8Array, { kind, scheme }: ResourceSpec): KubeObject {
  const options = { scheme, schemeName };
  try {
    return decodeProtobuf(bytes, undefined, options).object;
  } catch (error) {
    if (!isDecodeError(error) || error.code !== 'MissingKind' || error.gvk === undefined) throw error;
    const { group, version } = error.gvk;
    const expected = scheme.kind({ group, version, kind });
    if (version === '' || expected === undefined) throw error;
    return decodeProtobuf(bytes, expected, options).object;
  }
}

function decodeYAMLObject(bytes: Uint8Array, spec: ResourceSpec): KubeObject {
  return decodeText(spec, (expected, options) => decodeYAMLAtOnce(bytes, expected, options));
}

function decodeText(
  { kind, memoryVersion, scheme }: ResourceSpec,
  decode: (expected: KindInfo | undefined, options: DecodeOptions) => Decoded,
): KubeObject {
  const expected = scheme.kind({ ...memoryVersion, kind });
  try {
    return decode(undefined, { scheme, schemeName }).object;
  } catch (error) {
    if (expected === undefined || !isDecodeError(error) || error.gvk === undefined) throw error;
    const { code, gvk } = error;
    const isInternal = gvk.version === '__internal' && gvk.group === memoryVersion.group;
    if (code !== 'MissingKind' && code !== 'MissingVersion' && !isInternal) throw error;
    if (gvk.kind !== '' && gvk.kind !== kind) throw error;
    if (gvk.version === '' || isInternal) return { kind, apiVersion: formatGroupVersion(memoryVersion), metadata: {} };
    return decode(expected, { scheme, schemeName, anyVersion: true, accepts: () => true }).object;
  }
}

/** Whether the first character that is no space opens an object (apimachinery/pkg/util/yaml, IsJSONBuffer). */
function beginsAsJSON(bytes: Uint8Array): boolean {
  let at = 0;
  while (at < bytes.length && spaces.has(bytes[at] as number)) at++;
  return bytes[at] === openBrace;
}

const openBrace = 0x7b;
const spaces: ReadonlySet<number> = new Set(Buffer.from(' \t\n\v\f\r'));

/** What is base64 as its text. @throws RegistryError where it is none */
function base64Of(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const offset = corruptBase64(text);
  if (offset !== undefined) throw new RegistryError(`illegal base64 data at input byte ${offset}`);
  return text;
}

/** As the reference names the scheme that what is stored is read with. */
const schemeName = 'pkg/runtime/scheme.go:111';

/** Something of another kind is stored among the objects of a resource. */
function otherKind(object: KubeObject, { kind, memoryVersion, scheme }: ResourceSpec): RegistryError {
  const found = scheme.kind(gvkOf(object))?.goType ?? object.kind ?? '';
  const wanted = scheme.kind({ ...memoryVersion, kind });
  return new RegistryError(`converting (${found}) to (${wanted?.hubType ?? kind}): unknown conversion`);
}
