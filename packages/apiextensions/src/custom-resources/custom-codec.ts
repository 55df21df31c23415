import { decodeCBOR, decodeJSON, decodeRecord, encodeCBOR, encodeJSON, isCBOR, limits } from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import { createResourceCodec } from '@kubechain/shared-storage';
import type { ObjectAttributes, ObjectRecord, ResourceCodec } from '@kubechain/shared-storage';
import { DefaultedBytes } from './defaulted-bytes.ts';
import type { VersionSchema } from './version-schema.ts';

/** The pseudo field in which records of custom resources say which version they are in; not selectable. */
const versionField = 'apiVersion';

/** How objects are written, and how many may be read. */
export interface CustomCodecOptions {
  readonly cbor: boolean;
  /** What defaults have added to records. Default: as the limit is. */
  readonly defaulted?: DefaultedBytes;
}

/** The version a record of {@link customCodec} is in. */
export function recordVersion(attributes: ObjectAttributes): string {
  return attributes.fields[versionField] ?? '';
}

/**
 * Stored bytes to records in the version that they were stored in: pruned and defaulted by that version's schema each
 * time they are read, since the schema may have changed. Objects are written as they are given: callers bring them
 * into the storage version. `cbor`: they are written as CBOR; what is stored as CBOR is read in any case.
 *
 * What defaults add to the records that somebody has is bounded, for each definition and for all (`defaultedBytes`):
 * what is beyond that cannot be read until there are fewer, or smaller defaults.
 */
export function customCodec(
  schemas: ReadonlyMap<string, VersionSchema>,
  attributesOf: (object: KubeObject) => ObjectAttributes,
  { cbor, defaulted = new DefaultedBytes(limits.defaultedBytes.value / 2, ofAllDefinitions) }: CustomCodecOptions,
): ResourceCodec {
  let added = 0;
  const codec = createResourceCodec({
    decodeObject: (bytes) => {
      const { object } = isCBOR(bytes) ? decodeCBOR(bytes, undefined) : decodeJSON(bytes, undefined);
      const schema = schemas.get(object.apiVersion ?? '');
      if (schema !== undefined) {
        schema.coerce(object, { stored: true });
        added = schema.applyDefaults(object, { stored: true });
        if (!defaulted.hasRoom(added))
          throw new TypeError('the defaults of the definition add too much to its objects');
      }
      return object;
    },
    encodeObject: cbor ? (object) => encodeCBOR(object, { sorted: true }) : encodeCustom,
    attributes: (object) => {
      const attributes = attributesOf(object);
      return { ...attributes, fields: { ...attributes.fields, [versionField]: object.apiVersion ?? '' } };
    },
    stringify: encodeCustom,
    parse: parseCustom,
  });
  const counted = (decode: () => ObjectRecord): ObjectRecord => {
    // What has been decoded a moment ago is not decoded again.
    added = 0;
    const record = decode();
    defaulted.keep(record, added);
    return record;
  };
  return {
    encode: (object) => codec.encode(object),
    decode: (key, value, revision) => counted(() => codec.decode(key, value, revision)),
    // It has no bytes that can be served as they are: what was written is decoded.
    recordOf: (key, { revision, value }) => counted(() => codec.decode(key, value, revision)),
    storesAs: (record, value) => codec.storesAs?.(record, value) ?? false,
  };
}

/** Of this process. */
const ofAllDefinitions = new DefaultedBytes(limits.defaultedBytes.value);

/** JSON of any version, with sorted keys, as Go encodes what it has no type for. */
export function encodeCustom(object: KubeObject): Uint8Array {
  return encodeJSON(object);
}

/** An object of any version, as it was written. */
export function parseCustom(json: Uint8Array): KubeObject {
  return decodeRecord(json);
}
