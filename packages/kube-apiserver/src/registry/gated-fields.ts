import type { FeatureGate } from '@kubechain/apiserver/options';
import type { Capabilities } from './capabilities.ts';

type Fields = Record<string, unknown>;

/** A field that a feature brought, with the parts of an object that have it. */
export interface GatedField<T> {
  readonly field: string;
  readonly owners: (object: T) => readonly unknown[];
  /** Absent for features that are off by default in every known release, and that nothing here turns on. */
  readonly gate?: FeatureGate;
}

/**
 * Takes out of an object what features that are off brought, unless the old object has it already: the way of all
 * dropDisabledFields of the reference. Schemas of releases before a feature do not know its fields.
 */
export function dropGatedFields<T>(
  gated: readonly GatedField<T>[],
  object: T,
  { enabled, old }: Pick<Capabilities, 'enabled'> & { readonly old: T | undefined },
): void {
  for (const { field, gate, owners } of gated) {
    if (gate !== undefined && enabled(gate)) continue;
    if (old !== undefined && owners(old).some((owner) => isObject(owner) && isUsed(owner[field]))) continue;
    for (const owner of owners(object)) if (isObject(owner)) delete owner[field];
  }
}

function isObject(owner: unknown): owner is Fields {
  return typeof owner === 'object' && owner !== null;
}

function isUsed(value: unknown): boolean {
  return value !== undefined && !(Array.isArray(value) && value.length === 0);
}
