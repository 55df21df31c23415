import {
  decodeJSON,
  decodeRecord,
  encodeJSON,
  encodeProtobuf,
  encodeStoredJSON,
  encodingSchema,
  fitsSchema,
  formatGroupVersion,
  gvkOf,
  hasProtobuf,
  isDefaulted,
  nullNames,
} from '@kubechain/apimachinery';
import type { KubeObject, Schema, Scheme } from '@kubechain/apimachinery';
import { createResourceCodec } from '@kubechain/shared-storage';
import type { ObjectAttributes, ResourceCodec, ResourceCodecHooks } from '@kubechain/shared-storage';
import { RegistryError } from '../registry-error.ts';
import { decodeStored } from './decode-stored.ts';
import type { FieldReader, ResourceSpec } from './resource-spec.ts';

/** How objects are written (`--storage-media-type`); what is written in another form is read all the same. */
export type StorageMediaType = 'application/json' | 'application/vnd.kubernetes.protobuf';

/**
 * How objects of one resource become stored bytes and back: any stored version is read, converted to the memory
 * version and defaulted; the storage version is written, as compact JSON or, where the kind has such a form, as
 * protobuf.
 */
export function resourceCodec(spec: ResourceSpec, mediaType: StorageMediaType = 'application/json'): ResourceCodec {
  const { kind, memoryVersion, scheme } = spec;
  const storageVersion = spec.storageVersion ?? memoryVersion;
  const memory = { kind, apiVersion: formatGroupVersion(memoryVersion) };
  const stored = { kind, apiVersion: formatGroupVersion(storageVersion) };
  const schemas = new Map<string, Schema | undefined>();
  const schemaOf = (apiVersion: string): Schema | undefined => {
    if (!schemas.has(apiVersion)) schemas.set(apiVersion, encodingSchema(scheme.kind(gvkOf({ apiVersion, kind }))));
    return schemas.get(apiVersion);
  };
  const write = (object: KubeObject): Uint8Array => {
    const schema = schemaOf(stored.apiVersion);
    return mediaType === 'application/vnd.kubernetes.protobuf' && schema !== undefined && hasProtobuf(schema)
      ? encodeProtobuf(object, schema)
      : encodeStoredJSON(object, schema);
  };
  const hooks: ResourceCodecHooks = {
    decodeObject: (bytes) => {
      const object = decodeStored(bytes, spec);
      scheme.applyDefaults(object);
      if (spec.convertOnRead === true) return object;
      const read =
        object.apiVersion === memory.apiVersion ? object : synchronous(scheme.convert(object, memoryVersion));
      spec.storedCompletion?.complete(read);
      return read;
    },
    encodeObject: (object) => {
      if (object.apiVersion === stored.apiVersion) return write(object);
      const { metadata, ...rest } = object;
      const copy: KubeObject = { ...rest, ...(metadata === undefined ? {} : { metadata: { ...metadata } }) };
      return write(synchronous(scheme.convert(copy, storageVersion)));
    },
    attributes: attributeReader(spec),
    stringify: (object) => encodeJSON(object, schemaOf(object.apiVersion ?? memory.apiVersion)),
    parse: decodeRecord,
    parseUnusual: (bytes) => decodeJSON(bytes, undefined, { scheme }).object,
    ...(memory.apiVersion === stored.apiVersion && spec.decodeOnRead !== true
      ? { memory: { ...memory, ...checksOf(schemaOf(memory.apiVersion), scheme), ...completenessOf(spec) } }
      : {}),
  };
  return createResourceCodec(hooks);
}

/** What stored bytes have to be to be served as they are: those that others have written may be anything. */
function checksOf(
  schema: Schema | undefined,
  scheme: Scheme,
): Pick<NonNullable<ResourceCodecHooks['memory']>, 'fits' | 'nulls'> {
  if (schema === undefined) return { fits: (parsed) => isDefaulted(parsed, scheme) };
  return {
    nulls: () => nullNames(schema),
    fits: (parsed) =>
      (schema.kind !== 'struct' || fitsSchema(parsed as Record<string, unknown>, schema)) &&
      isDefaulted(parsed, scheme),
  };
}

function completenessOf({
  storedCompletion,
}: ResourceSpec): Pick<NonNullable<ResourceCodecHooks['memory']>, 'isComplete'> {
  return storedCompletion === undefined ? {} : { isComplete: (stored) => storedCompletion.isComplete(stored) };
}

function synchronous(object: KubeObject | Promise<KubeObject>): KubeObject {
  if (object instanceof Promise)
    throw new RegistryError(`conversion of a stored object must not wait: set convertOnRead for this resource`);
  return object;
}

/** Reads name, namespace, labels and the selectable fields off an object. */
function attributeReader(spec: ResourceSpec): (object: KubeObject) => ObjectAttributes {
  const readers: readonly (readonly [string, FieldReader])[] = Object.entries(spec.fields ?? {});
  return (object) => {
    const { name = '', namespace = '', labels } = object.metadata ?? {};
    const fields: Record<string, string> = { 'metadata.name': name, 'metadata.namespace': namespace };
    for (const [field, read] of readers) fields[field] = read(object);
    return { name, namespace, labels, fields };
  };
}
