import { goQuote } from '@kubechain/apimachinery';
import { isDeepStrictEqual } from 'node:util';
import { conditionOf } from './crd-types.ts';
import type { CRDCondition, CRDNames, CustomResourceDefinition } from './crd-types.ts';

type Condition = Omit<CRDCondition, 'lastTransitionTime'>;

/** What a CRD's names come to among the CRDs of its group. */
export interface NamingResult {
  readonly acceptedNames: CRDNames;
  readonly namesAccepted: Condition;
  readonly established: Condition;
}

/** Names of a group that are spoken for. */
export interface TakenNames {
  /** Plurals, singulars and short names. */
  readonly resources: ReadonlySet<string>;
  /** Kinds and list kinds. */
  readonly kinds: ReadonlySet<string>;
}

const none: CRDNames = { plural: '', kind: '' };

/** Collects accepted names. */
export function takenNames(accepted: Iterable<CRDNames | undefined>): TakenNames {
  const resources = new Set<string>();
  const kinds = new Set<string>();
  for (const { plural, singular = '', shortNames = [], kind, listKind = '' } of values(accepted)) {
    for (const name of [plural, singular, ...shortNames]) if (name !== '') resources.add(name);
    for (const name of [kind, listKind]) if (name !== '') kinds.add(name);
  }
  return { resources, kinds };
}

function* values(accepted: Iterable<CRDNames | undefined>): Generator<CRDNames> {
  for (const names of accepted) if (names !== undefined) yield names;
}

/** Whether what the CRD asks for is what it has; its conditions are not looked at. */
export function hasItsNames({ spec, status }: CustomResourceDefinition): boolean {
  return sameNames(spec.names, status?.acceptedNames ?? none);
}

/** An absent list is an empty one. */
export function sameNames(a: CRDNames, b: CRDNames): boolean {
  const key = ({ plural, singular = '', shortNames = [], kind, listKind = '', categories = [] }: CRDNames): unknown => [
    plural,
    singular,
    shortNames,
    kind,
    listKind,
    categories,
  ];
  return isDeepStrictEqual(key(a), key(b));
}

/**
 * Accepts each name that is free and keeps the accepted one where it is not
 * (pkg/controller/status/naming_controller.go, 1.36). `taken` holds the accepted names of all CRDs of the group, this
 * one's among them: a name that it has in another role is not free either. Undefined when there is nothing to write:
 * the CRD has what it asks for, or is refused as before.
 */
export function resolveNames(crd: CustomResourceDefinition, taken: TakenNames): NamingResult | undefined {
  if (hasItsNames(crd)) return undefined;
  const wanted = crd.spec.names;
  const before = crd.status?.acceptedNames ?? none;
  const accepted: { -readonly [K in keyof CRDNames]: CRDNames[K] } = { ...before };
  let conflict: Condition | undefined;
  const take = (
    field: 'plural' | 'singular' | 'kind' | 'listKind',
    used: ReadonlySet<string>,
    reason: string,
  ): void => {
    const name = wanted[field] ?? '';
    if (name !== (before[field] ?? '') && used.has(name)) conflict = refused(reason, inUse(name));
    else accepted[field] = name;
  };
  take('plural', taken.resources, 'PluralConflict');
  take('singular', taken.resources, 'SingularConflict');
  const used = new Set(
    (wanted.shortNames ?? [])
      .filter((name) => before.shortNames?.includes(name) !== true && taken.resources.has(name))
      .map(inUse),
  );
  if (used.size > 0)
    conflict = refused('ShortNamesConflict', used.size === 1 ? [...used].join() : `[${[...used].join(', ')}]`);
  else if (wanted.shortNames === undefined) delete accepted.shortNames;
  else accepted.shortNames = wanted.shortNames;
  take('kind', taken.kinds, 'KindConflict');
  take('listKind', taken.kinds, 'ListKindConflict');
  if (wanted.categories === undefined) delete accepted.categories;
  else accepted.categories = wanted.categories;

  const namesAccepted = conflict ?? {
    type: 'NamesAccepted',
    status: 'True',
    reason: 'NoConflicts',
    message: 'no conflicts found',
  };
  if (sameNames(accepted, before) && sameCondition(namesAccepted, conditionOf(crd, 'NamesAccepted'))) return undefined;
  return { acceptedNames: accepted, namesAccepted, established: establishedAfter(crd, namesAccepted) };
}

/** The establishing condition that goes with the names: only a CRD that is not established yet gets another. */
function establishedAfter(crd: CustomResourceDefinition, namesAccepted: Condition): Condition {
  const old = conditionOf(crd, 'Established');
  if (old?.status === 'True') return old;
  if (namesAccepted.status === 'True')
    return {
      type: 'Established',
      status: 'False',
      reason: 'Installing',
      message: 'the initial names have been accepted',
    };
  return old ?? { type: 'Established', status: 'False', reason: 'NotAccepted', message: 'not all names are accepted' };
}

/** Whether two conditions say the same, whenever they said it. */
export function sameCondition(a: Condition, b: Condition | undefined): boolean {
  return (
    b !== undefined && a.type === b.type && a.status === b.status && a.reason === b.reason && a.message === b.message
  );
}

function refused(reason: string, message: string): Condition {
  return { type: 'NamesAccepted', status: 'False', reason, message };
}

function inUse(name: string): string {
  return `${goQuote(name)} is already in use`;
}
