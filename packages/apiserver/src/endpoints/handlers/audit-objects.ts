import { parseJSONValue } from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import { copyObject } from '../../registry/rest/copy-object.ts';
import { isRecord } from '../../registry/rest/result.ts';
import type { RESTResult } from '../../registry/rest/storage.ts';
import type { RequestContext } from '../../request/request-context.ts';

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

/** What a request that is about one object answers; events show what a Status says at every level. */
export function auditResult(context: RequestContext, result: RESTResult): void {
  const objects = context.auditRecord;
  if (objects === undefined) return;
  if (isRecord(result)) {
    if (objects.wantsResponse) objects.setResponse(result.object());
  } else if (objects.wantsResponse || result.kind === 'Status') objects.setResponse(result);
}

/** An answer that exists as JSON text alone: a list or a table. */
export function auditText(context: RequestContext, text: () => Buffer): void {
  const objects = context.auditRecord;
  if (objects?.wantsResponse === true) objects.setResponse(parseJSONValue(text()).value as KubeObject);
}
