import type { FieldRequirement, FieldSelector, LabelSelector } from '@kubechain/apimachinery';
import type { SelectionPredicate } from '../../storage/interfaces.ts';

const everyLabel: LabelSelector = { empty: true, matches: () => true, toString: () => '' };
const everyField: FieldSelector = { empty: true, requirements: [], matches: () => true, toString: () => '' };

/** Selects objects that have the label with the value. */
export function labelIs(name: string, value: string): SelectionPredicate {
  const label: LabelSelector = {
    empty: false,
    matches: (labels) => labels?.[name] === value,
    toString: () => `${name}=${value}`,
  };
  return { label, field: everyField, empty: false, matches: (attributes) => label.matches(attributes.labels) };
}

/** Selects objects whose field has the value. */
export function fieldIs(name: string, value: string): SelectionPredicate {
  const requirement: FieldRequirement = { field: name, operator: '=', value };
  const field: FieldSelector = {
    empty: false,
    requirements: [requirement],
    matches: (fields) => fields?.[name] === value,
    toString: () => `${name}=${value}`,
  };
  return { label: everyLabel, field, empty: false, matches: (attributes) => field.matches(attributes.fields) };
}
