import {
  cloneJSON,
  decodeJSON,
  decodeStruct,
  encodeJSON,
  encodeJSONText,
  encodingSchema,
  fromUnstructured,
  goValue,
  invalid,
  invalidValue,
  isDecodeError,
  isFormatError,
  isJSONObject,
  notFound,
  toWireForm,
} from '@kubechain/apimachinery';
import type {
  Decoded,
  FromUnstructured,
  JSONObject,
  JSONValue,
  KubeObject,
  NumberTexts,
} from '@kubechain/apimachinery';
import { copyObject } from '../../../registry/rest/copy-object.ts';
import { toMemoryVersion, toServedVersion } from '../decode-body.ts';
import type { RequestScope } from '../request-scope.ts';
import { addStrictWarnings } from '../strict-warnings.ts';
import type { PatchRequest } from './patch-mechanism.ts';

/**
 * The current object as a client sees it: a private JSON document in the served version, zero values included. Shares
 * frozen managed fields.
 */
export async function servedDocument(scope: RequestScope, current: KubeObject): Promise<JSONObject> {
  const served = current.apiVersion === scope.apiVersion ? current : await toServedVersion(scope, copyObject(current));
  return cloneJSON(toWireForm(served, encodingSchema(scope.kindInfo)) as JSONObject);
}

/** What the scheme of built-in kinds is called where patched objects are read. */
const patchedScheme = 'pkg/runtime/scheme.go:111';

export interface PatchedDocument {
  readonly document: JSONValue;
  /** Unknown or duplicate fields of the patch itself. */
  readonly strictErrors: readonly string[];
  /** Numbers of the patch that keep the form they were written in. */
  readonly numbers?: NumberTexts | undefined;
  /** The value that errors quote. */
  readonly quoted: () => string;
}

/**
 * The object that a patched document stands for: checked as a request body is, defaulted, in memory version.
 * @throws StatusError Invalid for the field `patch`
 */
export async function objectFromDocument(
  scope: RequestScope,
  request: PatchRequest,
  patched: PatchedDocument,
): Promise<KubeObject> {
  return acceptPlain(scope, request, patched) ?? acceptEncoded(scope, request, patched);
}

/**
 * What is certainly read from data as it would be from text: an object of the kind that has no field which could be
 * refused or warned about.
 */
function acceptPlain(
  scope: RequestScope,
  request: PatchRequest,
  { document, numbers, strictErrors }: PatchedDocument,
): Promise<KubeObject> | undefined {
  const { schema } = scope.kindInfo;
  if (
    numbers !== undefined ||
    strictErrors.length > 0 ||
    request.fieldValidation === 'Ignore' ||
    schema.kind !== 'struct' ||
    scope.custom
  )
    return undefined;
  if (!isJSONObject(document) || document['kind'] !== scope.kind.kind || document['apiVersion'] !== scope.apiVersion)
    return undefined;
  const read = decodeStruct(cloneJSON(document), schema, { strict: true, original: document });
  if (read.value === undefined || read.strictErrors.length > 0) return undefined;
  return acceptObject(scope, request, {
    object: read.value as KubeObject,
    strictErrors,
    refuse: (reason) => invalidPatch('', reason),
  });
}

async function acceptEncoded(
  scope: RequestScope,
  request: PatchRequest,
  patched: PatchedDocument,
): Promise<KubeObject> {
  if (!scope.custom && isJSONObject(patched.document) && isUnversioned(patched.document))
    return unversionedObject(request, patched.document, patched);
  const { document, numbers } = patched;
  const json =
    numbers === undefined ? encodeJSON(document as KubeObject) : Buffer.from(numbers.restore(encodeJSONText(document)));
  const refuse = (reason: string): Error => invalidPatch(patched.quoted(), reason);
  const strict = request.fieldValidation === 'Ignore' ? 'Ignore' : 'Warn';
  let decoded: Decoded;
  try {
    decoded = decodeJSON(json, scope.kindInfo, {
      strict,
      scheme: scope.scheme,
      schemeName: scope.schemeName === 'pkg/api/legacyscheme/scheme.go:30' ? patchedScheme : scope.schemeName,
      anyVersion: true,
      // The reference reads into its internal form, which other versions of the kind lead to as well.
      accepts: ({ hubType }) => hubType !== undefined && hubType === scope.kindInfo.hubType,
    });
  } catch (error) {
    throw isDecodeError(error) ? refuse(error.message) : error;
  }
  return acceptObject(scope, request, {
    object: decoded.object,
    strictErrors: [...patched.strictErrors, ...decoded.strictErrors],
    refuse,
  });
}

/** Names no version; that apiVersion or kind is no text is for the decoder to say. */
function isUnversioned({ apiVersion = null, kind = null }: JSONObject): boolean {
  return (apiVersion === null || apiVersion === '') && (kind === null || typeof kind === 'string');
}

/** Without apiVersion the reference reads an internal object, whose fields have other names: none of those given. */
function unversionedObject(request: PatchRequest, document: JSONObject, patched: PatchedDocument): KubeObject {
  const unknown = Object.keys(document)
    .sort()
    .filter((name) => name !== 'apiVersion' && name !== 'kind')
    .map((name) => `unknown field ${JSON.stringify(name)}`);
  const strictErrors = request.fieldValidation === 'Ignore' ? [] : [...patched.strictErrors, ...unknown];
  if (strictErrors.length > 0) {
    if (request.fieldValidation === 'Strict')
      throw invalidPatch(patched.quoted(), `strict decoding error: ${strictErrors.join(', ')}`);
    addStrictWarnings(request.context, strictErrors);
  }
  // Which has no name, for one, and is refused for that.
  return { metadata: {} };
}

/**
 * The same for what a strategic merge patch gives, which is read as plain data: with texts of its own. `quoted` is the
 * patch.
 */
export async function objectFromPlainData(
  scope: RequestScope,
  request: PatchRequest,
  patched: { readonly document: JSONObject; readonly strictErrors: readonly string[]; readonly quoted: JSONObject },
): Promise<KubeObject> {
  const { schema } = scope.kindInfo;
  if (schema.kind !== 'struct')
    return objectFromDocument(scope, request, { ...patched, quoted: () => goValue(patched.quoted) });
  const refuse = (reason: string): Error => invalidPatch(goValue(patched.quoted), reason);
  let read: FromUnstructured;
  try {
    read = fromUnstructured(patched.document, schema, { unknownFields: request.fieldValidation !== 'Ignore' });
  } catch (error) {
    throw isFormatError(error) ? refuse(error.message) : error;
  }
  // Not a copy, which would not know any more what was there without entries.
  const object: KubeObject = Object.assign(read.object, { kind: scope.kind.kind, apiVersion: scope.apiVersion });
  return acceptObject(scope, request, {
    object,
    strictErrors: [...patched.strictErrors, ...read.unknownFields],
    refuse,
  });
}

interface ReadObject {
  readonly object: KubeObject;
  readonly strictErrors: readonly string[];
  readonly refuse: (reason: string) => Error;
}

async function acceptObject(
  scope: RequestScope,
  request: PatchRequest,
  { object, refuse, strictErrors }: ReadObject,
): Promise<KubeObject> {
  if (strictErrors.length > 0) {
    if (request.fieldValidation === 'Strict') throw refuse(`strict decoding error: ${strictErrors.join(', ')}`);
    addStrictWarnings(request.context, strictErrors);
  }
  // Another version is validation's to refuse, and none.
  if (scope.custom && object.apiVersion !== scope.apiVersion) return object;
  await request.turns.next();
  scope.scheme.applyDefaults(object);
  if (scope.custom) await request.turns.beforeValue(object);
  return toMemoryVersion(scope, object);
}

function invalidPatch(quoted: string, reason: string): Error {
  return invalid({ group: '', kind: '' }, '', [invalidValue('patch', quoted, reason)]);
}

/** What patches answer that only change what exists. */
export function nothingToPatch(scope: RequestScope, name: string): Error {
  return notFound(scope.groupResource, name);
}
