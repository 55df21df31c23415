import type { AdmissionRequest, MutatingAnswer } from './admission-request.ts';
import { jsonPatchBetween } from './json-patch-between.ts';

/**
 * The review that says what a function has answered.
 * @param before the request's object as it came, since the function may have changed the other one
 */
export function admissionResponse(uid: string, answer: MutatingAnswer, before: unknown): object {
  return {
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    response: { uid, ...responseOf(answer ?? {}, before) },
  };
}

function responseOf(answer: Exclude<MutatingAnswer, void | undefined>, before: unknown): object {
  const { auditAnnotations, warnings } = answer;
  const remarks = { auditAnnotations, warnings };
  if (answer.allowed === false) {
    const { code, message, reason } = answer;
    return { ...remarks, allowed: false, status: { status: 'Failure', code, message, reason } };
  }
  const patch =
    'patch' in answer ? answer.patch : 'object' in answer ? jsonPatchBetween(before, plain(answer.object)) : [];
  if (patch.length === 0) return { ...remarks, allowed: true };
  return {
    ...remarks,
    allowed: true,
    patchType: 'JSONPatch',
    patch: Buffer.from(JSON.stringify(patch)).toString('base64'),
  };
}

/** As it is sent: dates as text, and nothing that is undefined. */
function plain(object: object): unknown {
  return JSON.parse(JSON.stringify(object));
}

/** What was asked. @throws SyntaxError */
export function admissionRequest(body: string): AdmissionRequest {
  return (JSON.parse(body) as { readonly request: AdmissionRequest }).request;
}
