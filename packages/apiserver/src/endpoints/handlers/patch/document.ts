import { decodeJSON, encodeJSON, invalid, invalidValue, isDecodeError, notFound } from '@kubechain/apimachinery';
import type { Decoded, JSONObject, JSONValue, KubeObject } from '@kubechain/apimachinery';
import { copyObject } from '../../../registry/rest/copy-object.ts';
import { toMemoryVersion, toServedVersion } from '../decode-body.ts';
import type { RequestScope } from '../request-scope.ts';
import { addStrictWarnings } from '../strict-warnings.ts';
import type { PatchRequest } from './patch-mechanism.ts';

/** The current object as a client sees it: a private JSON document in the served version, zero values included. */
export async function servedDocument(scope: RequestScope, current: KubeObject): Promise<JSONObject> {
  const served = await toServedVersion(scope, copyObject(current));
  return decodeJSON(encodeJSON(served, scope.kindInfo.schema), undefined).object as JSONObject;
}

export interface PatchedDocument {
  readonly document: JSONValue;
  /** Unknown or duplicate fields of the patch itself. */
  readonly strictErrors: readonly string[];
  /** The value that errors quote. */
  readonly quoted: (json: Buffer) => string;
}

/**
 * The object that a patched document stands for: checked as a request body is, defaulted, in memory version.
 * @throws StatusError Invalid for the field `patch`
 */
export async function objectFromDocument(scope: RequestScope, request: PatchRequest, patched: PatchedDocument): Promise<KubeObject> {
  const json = encodeJSON(patched.document as KubeObject);
  const refuse = (reason: string): Error => invalid({ group: '', kind: '' }, '', [invalidValue('patch', patched.quoted(json), reason)]);
  const strict = request.fieldValidation === 'Ignore' ? 'Ignore' : 'Warn';
  let decoded: Decoded;
  try {
    decoded = decodeJSON(json, scope.kindInfo, { strict, scheme: scope.scheme, schemeName: scope.schemeName });
  } catch (error) {
    throw isDecodeError(error) ? refuse(error.message) : error;
  }
  const strictErrors = [...patched.strictErrors, ...decoded.strictErrors];
  if (strictErrors.length > 0) {
    if (request.fieldValidation === 'Strict') throw refuse(`strict decoding error: ${strictErrors.join(', ')}`);
    addStrictWarnings(request.context, strictErrors);
  }
  scope.scheme.applyDefaults(decoded.object);
  return toMemoryVersion(scope, decoded.object);
}

/** What patches answer that only change what exists. */
export function nothingToPatch(scope: RequestScope, name: string): Error {
  return notFound(scope.groupResource, name);
}
