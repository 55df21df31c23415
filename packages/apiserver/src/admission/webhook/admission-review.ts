import { FormatError, goQuote, type KubeObject, type StatusDetails } from '@kubechain/apimachinery';
import type { AdmissionAttributes } from '../admission.ts';
import type { Invocation } from './invocation.ts';

const group = 'admission.k8s.io';
const known: ReadonlySet<string> = new Set(['v1', 'v1beta1']);

/** `response` of an AdmissionReview. */
export interface AdmissionResponse {
  readonly uid?: string;
  readonly allowed?: boolean;
  readonly status?: {
    readonly code?: number;
    readonly status?: string;
    readonly message?: string;
    readonly reason?: string;
    readonly details?: StatusDetails;
    readonly metadata?: object;
  };
  /** Base64. */
  readonly patch?: string;
  readonly patchType?: string;
  readonly auditAnnotations?: Readonly<Record<string, string>>;
  readonly warnings?: readonly string[];
}

/** An AdmissionReview that came back. */
export type AnsweredReview = KubeObject & { readonly response?: AdmissionResponse | null };

/** The first version of AdmissionReview that both sides know. */
export function reviewVersionOf(versions: readonly string[] | undefined): string | undefined {
  return versions?.find((version) => known.has(version));
}

/** The objects of a request as JSON texts, in the version that the webhook wants; `null` for none. */
export interface ReviewObjects {
  readonly object: string;
  readonly oldObject: string;
}

/**
 * An AdmissionReview as JSON (webhook/request/admissionreview.go, 1.36). The objects are encoded once for all webhooks
 * that want the same version.
 */
export function reviewText(review: {
  readonly uid: string;
  readonly version: string;
  readonly invocation: Invocation;
  readonly attributes: AdmissionAttributes;
  readonly objects: ReviewObjects;
}): string {
  const { attributes, invocation, objects, uid, version } = review;
  const { dryRun, name, namespace, operation, options, subresource, user } = attributes;
  const text = (value: unknown): string => JSON.stringify(value);
  const member = (key: string, value: string): string => (value === '' ? '' : `${text(key)}:${text(value)},`);
  const { kind, resource } = attributes;
  const kindOf = (of: typeof kind): string => text({ group: of.group, version: of.version, kind: of.kind });
  const resourceOf = (of: typeof resource): string =>
    text({ group: of.group, version: of.version, resource: of.resource });
  return (
    `{"kind":"AdmissionReview","apiVersion":"${group}/${version}","request":{"uid":${text(uid)},` +
    `"kind":${kindOf(invocation.kind)},` +
    `"resource":${resourceOf(invocation.resource)}` +
    `,${member('subResource', subresource)}` +
    `"requestKind":${kindOf(kind)},` +
    `"requestResource":${resourceOf(resource)}` +
    `,${member('requestSubResource', subresource)}` +
    `${member('name', name)}${member('namespace', namespace)}"operation":${text(operation)},` +
    `"userInfo":${text(userInfo(user))},"object":${objects.object},"oldObject":${objects.oldObject},` +
    `"dryRun":${String(dryRun)},"options":${options === undefined ? 'null' : text(options)}}}\n`
  );
}

function userInfo({ extra, groups, name, uid = '' }: AdmissionAttributes['user']): object {
  return {
    ...(name === '' ? {} : { username: name }),
    ...(uid === '' ? {} : { uid }),
    ...(groups.length === 0 ? {} : { groups }),
    ...(extra === undefined || Object.keys(extra).length === 0 ? {} : { extra }),
  };
}

/** What a webhook answered. @throws FormatError for an answer that is none to this review */
export function checkedResponse(
  review: AnsweredReview,
  expected: { readonly uid: string; readonly version: string; readonly mutating: boolean },
): AdmissionResponse {
  const { response } = review;
  if (response === undefined || response === null) throw new FormatError('webhook response was absent');
  if (expected.version !== 'v1')
    return expected.mutating
      ? { ...response, ...((response.patch ?? '') === '' ? {} : { patchType: 'JSONPatch' }) }
      : withoutPatch(response);
  if ((response.uid ?? '') !== expected.uid)
    throw new FormatError(`expected response.uid=${goQuote(expected.uid)}, got ${goQuote(response.uid ?? '')}`);
  if (review.kind !== 'AdmissionReview' || review.apiVersion !== `${group}/v1`)
    throw new FormatError(
      `expected webhook response of ${group}/v1, Kind=AdmissionReview, got ` +
        `${(review.apiVersion ?? '') === '' ? '/' : (review.apiVersion ?? '')}, Kind=${review.kind ?? ''}`,
    );
  const patch = response.patch ?? '';
  if (!expected.mutating) {
    if (patch !== '') throw new FormatError('validating webhook may not return response.patch');
    if (response.patchType !== undefined && response.patchType !== null)
      throw new FormatError('validating webhook may not return response.patchType');
    return response;
  }
  if (patch !== '' && (response.patchType ?? undefined) === undefined)
    throw new FormatError('webhook returned response.patch but not response.patchType');
  if (patch === '' && (response.patchType ?? undefined) !== undefined)
    throw new FormatError('webhook returned response.patchType but not response.patch');
  if (response.patchType === '') throw new FormatError(`webhook returned invalid response.patchType of ${goQuote('')}`);
  return response;
}

function withoutPatch({ patch: _patch, patchType: _type, ...response }: AdmissionResponse): AdmissionResponse {
  return response;
}
