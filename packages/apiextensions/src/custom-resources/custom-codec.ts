import { decodeRecord, encodeCBOR, encodeJSON } from '@kubechain/apimachinery';
import type { GroupVersion, KubeObject } from '@kubechain/apimachinery';
import { createResourceCodec } from '@kubechain/shared-storage';
import type { ObjectAttributes, ObjectRecord, ResourceCodec } from '@kubechain/shared-storage';
import { decodeStored, requireKnownVersion } from './decode-stored.ts';
import type { VersionSchema } from './version-schema.ts';

/** The pseudo field in which records of custom resources say which version they are in; not selectable. */
const versionField = 'apiVersion';

/** Bytes of JSON from which on what defaults add to an object is counted: most objects get less. */
const countedFrom = 1024;

/** How objects are written. */
export interface CustomCodecOptions {
  readonly cbor: boolean;
  /** What is stored in another group, or in a version without a schema, is refused. Default: anything is read. */
  readonly storageVersion?: GroupVersion;
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
 * What defaults have added to a record is told, where it is 1 KiB or more: a list of such records is bounded
 * (`defaultedBytes`).
 */
export function customCodec(
  schemas: ReadonlyMap<string, VersionSchema>,
  attributesOf: (object: KubeObject) => ObjectAttributes,
  { cbor, storageVersion }: CustomCodecOptions,
): ResourceCodec {
  let added = 0;
  const addedTo = new WeakMap<ObjectRecord, number>();
  const codec = createResourceCodec({
    decodeObject: (bytes) => {
      const object = decodeStored(bytes);
      if (storageVersion !== undefined)
        requireKnownVersion(object, { storageVersion, has: (apiVersion) => schemas.has(apiVersion) });
      const schema = schemas.get(object.apiVersion ?? '');
      // What somebody else has put under another kind is served as it is.
      if (schema?.describes(object) === true) {
        schema.coerce(object, { stored: true });
        added = schema.applyDefaults(object, { stored: true });
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
    if (added >= countedFrom) addedTo.set(record, added);
    return record;
  };
  return {
    encode: (object) => codec.encode(object),
    decode: (key, value, revision) => counted(() => codec.decode(key, value, revision)),
    // It has no bytes that can be served as they are: what was written is decoded.
    recordOf: (key, { revision, value }) => counted(() => codec.decode(key, value, revision)),
    storesAs: (record, value) => codec.storesAs?.(record, value) ?? false,
    addedBytes: (record) => addedTo.get(record) ?? 0,
  };
}

/** JSON of any version, with sorted keys, as Go encodes what it has no type for. */
export function encodeCustom(object: KubeObject): Uint8Array {
  return encodeJSON(object);
}

/** An object of any version, as it was written. */
export function parseCustom(json: Uint8Array): KubeObject {
  return decodeRecord(json);
}
