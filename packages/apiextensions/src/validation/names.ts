import { FieldPath, goQuote, invalidValue, isDNS1035Label, parseRequestURI, required } from '@kubechain/apimachinery';
import type { FieldError, ObjectMeta } from '@kubechain/apimachinery';
import type { CRDNames } from '../definition/crd-types.ts';

/** Names in a spec, or accepted names; missing ones are not minded. */
export function validateNames(names: Partial<CRDNames>, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const label = (at: FieldPath, value: string, prefix = ''): void => {
    const messages = isDNS1035Label(prefix === '' ? value : value.toLowerCase());
    if (messages.length > 0) errors.push(invalidValue(at, value, `${prefix}${messages.join(',')}`));
  };
  const { plural = '', singular = '', kind = '', listKind = '' } = names;
  const mixedCase = 'may have mixed case, but should otherwise match: ';
  if (plural !== '') label(path.child('plural'), plural);
  if (singular !== '') label(path.child('singular'), singular);
  if (kind !== '') label(path.child('kind'), kind, mixedCase);
  if (listKind !== '') label(path.child('listKind'), listKind, mixedCase);
  names.shortNames?.forEach((name, i) => {
    label(path.child('shortNames').index(i), name);
  });
  if (kind !== '' && kind === listKind)
    errors.push(invalidValue(path.child('listKind'), listKind, 'kind and listKind may not be the same'));
  names.categories?.forEach((name, i) => {
    label(path.child('categories').index(i), name);
  });
  return errors;
}

/** Names that a spec must have. */
export function validateRequiredNames(names: Partial<CRDNames>, path: FieldPath): FieldError[] {
  return (['plural', 'singular', 'kind', 'listKind'] as const)
    .filter((name) => (names[name] ?? '') === '')
    .map((name) => required(path.child(name)));
}

/** Where an API of a protected group says that it is approved. */
export const approvedAnnotation = 'api-approved.kubernetes.io';
const approvalRule = 'see https://github.com/kubernetes/enhancements/pull/1111';

/** Whether an API of a protected group is approved, by its annotation; with the reason in upstream's words. */
export interface Approval {
  readonly state: 'Missing' | 'Invalid' | 'Approved' | 'Bypassed';
  readonly reason: string;
}

/** Whether a group belongs to the Kubernetes community: APIs in it need an approval. */
export function isProtectedGroup(group: string): boolean {
  return ['k8s.io', 'kubernetes.io'].some((domain) => group === domain || group.endsWith(`.${domain}`));
}

/** What the approval annotation says (pkg/apihelpers GetAPIApprovalState, 1.36). */
export function approvalOf(annotations: Readonly<Record<string, string>> | undefined): Approval {
  const annotation = annotations?.[approvedAnnotation] ?? '';
  const must = `protected groups must have approval annotation ${goQuote(approvedAnnotation)}`;
  if (annotation === '') return { state: 'Missing', reason: `${must}, ${approvalRule}` };
  if (annotation.startsWith('unapproved')) return { state: 'Bypassed', reason: `not approved: ${goQuote(annotation)}` };
  const url = parseRequestURI(annotation);
  if (typeof url !== 'string' && url.host !== '' && url.scheme !== '')
    return { state: 'Approved', reason: `approved in ${annotation}` };
  return {
    state: 'Invalid',
    reason: `${must} with either a URL or a reason starting with "unapproved", ${approvalRule}`,
  };
}

/** An approval is asked for on create, and whenever it changes. */
export function validateApproval(
  group: string,
  meta: ObjectMeta | undefined,
  old: ObjectMeta | undefined,
): FieldError[] {
  if (!isProtectedGroup(group)) return [];
  const { state, reason } = approvalOf(meta?.annotations);
  if (old !== undefined && approvalOf(old.annotations).state === state) return [];
  const path = FieldPath.of('metadata', 'annotations').key(approvedAnnotation);
  if (state === 'Invalid') return [invalidValue(path, meta?.annotations?.[approvedAnnotation] ?? '', reason)];
  return state === 'Missing' ? [required(path, reason)] : [];
}
