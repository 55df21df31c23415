import { encodeJSON, encodingSchema, gvkOf, schemaFor as builtInSchema } from '@kubechain/apimachinery';
import type { KubeObject, ObjectMeta } from '@kubechain/apimachinery';
import { ownBytes } from '@kubechain/shared-storage';
import type { ObjectRecord } from '@kubechain/shared-storage';
import { isRecord } from '../../../registry/rest/result.ts';
import type { RESTResult } from '../../../registry/rest/storage.ts';
import { toServedVersion } from '../decode-body.ts';
import type { RequestScope } from '../request-scope.ts';
import { fieldAnnotationOf } from './field-annotation.ts';
import { metadataWithoutManagedFields } from '../managed-fields.ts';
import { metadataSlice } from './metadata-slice.ts';

/**
 * JSON of a result in the served version, without a newline. A record of that version gives its own bytes, which
 * must not be changed.
 */
export function encodeResult(scope: RequestScope, result: RESTResult): Uint8Array | Promise<Uint8Array> {
  if (!isRecord(result)) return encodeObject(scope, result);
  if (scope.servesRecords && (scope.storage.typedListItems !== true || startsWith(result.json, scope.recordPrefix)))
    return result.json;
  return encodeObject(scope, result.object());
}

function encodeObject(scope: RequestScope, object: KubeObject): Uint8Array | Promise<Uint8Array> {
  const served = toServedVersion(scope, object);
  return served instanceof Promise
    ? served.then((converted) => encodeJSON(converted, schemaFor(scope, converted)))
    : encodeJSON(served, schemaFor(scope, served));
}

function schemaFor(scope: RequestScope, object: KubeObject): RequestScope['kindInfo']['schema'] | undefined {
  if (object.kind === scope.kind.kind && object.apiVersion === scope.apiVersion) return encodingSchema(scope.kindInfo);
  return encodingSchema(scope.scheme.kind(gvkOf(object)));
}

/** Whether JSON begins with these bytes. */
export function startsWith(json: Uint8Array, prefix: Buffer): boolean {
  if (json.length <= prefix.length) return false;
  // A third of what `compare` takes for so few bytes.
  for (let i = 0; i < prefix.length; i++) if (json[i] !== prefix[i]) return false;
  return true;
}

/** meta.k8s.io versions that Table and PartialObjectMetadata exist in. */
export type MetaVersion = 'v1' | 'v1beta1';

const partialHeads = {
  v1: Buffer.from('{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":'),
  v1beta1: Buffer.from('{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1beta1","metadata":'),
};
const closeBrace = Buffer.from('}');

/** What is to be reduced to its metadata, and in which version of its form. */
export interface PartialSource {
  readonly scope: RequestScope;
  readonly result: RESTResult;
  readonly version: MetaVersion;
  /** Default: no. */
  readonly omitManagedFields?: boolean;
}

/** An object reduced to its metadata, without annotations that stand for fields of the reference's internal type. */
export function encodePartialMetadata(scope: RequestScope, result: RESTResult, version: MetaVersion): Buffer {
  return Buffer.concat([partialHeads[version], metadataOf(scope, result), closeBrace]);
}

/**
 * The same in pieces. Those of records are parts of what is kept with them, and must not be changed. `end`: what closes
 * the object, and what it stands in. Default `}`.
 */
export function appendPartialMetadata(
  parts: Uint8Array[],
  { omitManagedFields = false, result, scope, version }: PartialSource,
  end: Buffer = closeBrace,
): void {
  const metadata = metadataOf(scope, result);
  if (omitManagedFields) parts.push(partialHeads[version], ...metadataWithoutManagedFields(metadata), end);
  else parts.push(partialHeads[version], metadata, end);
}

/** Owners of views: metadata as it stands in the record, and without the annotation that is hidden. */
const wholeMetadata = {};
const shownMetadata = {};

/** JSON of the metadata. Of records it is cut out of their bytes where possible, and found once. */
function metadataOf(scope: RequestScope, result: RESTResult): Buffer {
  const hidden = fieldAnnotationOf(scope.kind);
  if (!isRecord(result)) return encodeMetadata(scope, result, hidden);
  return scope.views.get(result, hidden === undefined ? wholeMetadata : shownMetadata, (record) => {
    const slice = hidden === undefined && !scope.custom ? recordMetadata(scope, record) : undefined;
    if (slice !== undefined) return { value: slice, bytes: 0 };
    const value = ownBytes(encodeMetadata(scope, record.object(), hidden));
    return { value, bytes: value.length };
  });
}

function encodeMetadata(scope: RequestScope, object: KubeObject, hidden: string | undefined): Buffer {
  const metadata = hidden === undefined ? (object.metadata ?? {}) : withoutAnnotation(object.metadata ?? {}, hidden);
  // Here metadata of custom resources are typed as well.
  return encodeJSON(metadata as KubeObject, builtInSchema('io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'));
}

function withoutAnnotation(metadata: ObjectMeta, name: string): ObjectMeta {
  const { annotations: { [name]: _, ...annotations } = {}, ...rest } = metadata;
  return Object.keys(annotations).length === 0 ? rest : { ...rest, annotations };
}

function recordMetadata(scope: RequestScope, record: ObjectRecord): Buffer | undefined {
  return metadataSlice(record.json, scope.servesRecords ? scope.recordPrefix : scope.memoryPrefix);
}
