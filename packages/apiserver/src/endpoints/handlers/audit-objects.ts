import { parseJSONValue } from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import { copyObject } from '../../registry/rest/copy-object.ts';
import { JSONText } from '../../request/json-text.ts';
import type { RequestContext } from '../../request/request-context.ts';
import { withoutManagedFields } from './managed-fields.ts';

/**
 * The decoded body as the audit log keeps it: a copy where the log wants the whole, for handlers go on to change the
 * object.
 */
export function copyForAudit(context: RequestContext, object: KubeObject): KubeObject {
  return context.auditRecord?.wantsRequest === true ? copyObject(object) : object;
}

/** A patch as it came; one that is no JSON is left out. */
export function auditPatch(context: RequestContext, body: Uint8Array): void {
  const objects = context.auditRecord;
  if (objects === undefined || !objects.wantsRequest) return;
  try {
    objects.setRequest(parseJSONValue(body).value as KubeObject);
  } catch {
    // YAML of an apply: the log has the response.
  }
}

/**
 * What a request that is about one object answers, but for a record; events show what a Status says at every level.
 */
export function auditAnswer(context: RequestContext, result: KubeObject): void {
  const objects = context.auditRecord;
  if (objects !== undefined && (objects.wantsResponse || result.kind === 'Status')) objects.setResponse(result);
}

/** An object that the answer has as JSON, and that does not change any more. */
export function auditObjectText(context: RequestContext, json: Uint8Array): void {
  const objects = context.auditRecord;
  if (objects?.wantsResponse !== true) return;
  objects.setResponseText(JSONText.of(objects.omitsManagedFields ? withoutManagedFields(json) : [json]));
}
