import { goQuote } from '@kubechain/apimachinery';
import { conditionOf } from './crd-types.ts';
import type { CRDCondition, CRDNames, CustomResourceDefinition } from './crd-types.ts';

type Condition = Omit<CRDCondition, 'lastTransitionTime'>;

/** What a CRD's names come to among the CRDs of its group. */
export interface NamingResult {
  readonly acceptedNames: CRDNames;
  readonly namesAccepted: Condition;
  readonly established: Condition;
}

/**
 * Accepts each name that nobody else in the group has, and keeps the accepted one where somebody has
 * (pkg/controller/status/naming_controller.go, 1.36). `others` are the other CRDs of the same group.
 * A CRD whose names are accepted is established at once: the caller serves it before it says so.
 */
export function resolveNames(crd: CustomResourceDefinition, others: Iterable<CustomResourceDefinition>): NamingResult {
  const resources = new Set<string>();
  const kinds = new Set<string>();
  for (const other of others) {
    const { plural, singular, shortNames = [], kind, listKind } = other.status?.acceptedNames ?? { plural: '', kind: '' };
    for (const name of [plural, singular, ...shortNames]) if (name !== undefined && name !== '') resources.add(name);
    for (const name of [kind, listKind]) if (name !== undefined && name !== '') kinds.add(name);
  }
  const wanted = crd.spec.names;
  const before = crd.status?.acceptedNames ?? { plural: '', kind: '' };
  const accepted: { -readonly [K in keyof CRDNames]: CRDNames[K] } = { ...before };
  let conflict: Condition | undefined;
  const take = (field: 'plural' | 'singular' | 'kind' | 'listKind', taken: ReadonlySet<string>, reason: string): void => {
    const name = wanted[field] ?? '';
    if (name !== (before[field] ?? '') && taken.has(name)) conflict = refused(reason, inUse(name));
    else accepted[field] = name;
  };
  take('plural', resources, 'PluralConflict');
  take('singular', resources, 'SingularConflict');
  const taken = (wanted.shortNames ?? []).filter((name) => before.shortNames?.includes(name) !== true && resources.has(name));
  if (taken.length > 0) conflict = refused('ShortNamesConflict', taken.length === 1 ? inUse(taken[0] ?? '') : `[${taken.map(inUse).join(', ')}]`);
  else if (wanted.shortNames === undefined) delete accepted.shortNames;
  else accepted.shortNames = wanted.shortNames;
  take('kind', kinds, 'KindConflict');
  take('listKind', kinds, 'ListKindConflict');
  if (wanted.categories === undefined) delete accepted.categories;
  else accepted.categories = wanted.categories;

  const wasEstablished = conditionOf(crd, 'Established')?.status === 'True';
  const established: Condition = conflict === undefined || wasEstablished
    ? { type: 'Established', status: 'True', reason: 'InitialNamesAccepted', message: 'the initial names have been accepted' }
    : { type: 'Established', status: 'False', reason: 'NotAccepted', message: 'not all names are accepted' };
  return { acceptedNames: accepted, namesAccepted: conflict ?? { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found' }, established };
}

function refused(reason: string, message: string): Condition {
  return { type: 'NamesAccepted', status: 'False', reason, message };
}

function inUse(name: string): string {
  return `${goQuote(name)} is already in use`;
}
