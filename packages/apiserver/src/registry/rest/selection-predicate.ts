import { everyField, everyLabel } from '@kubechain/apimachinery';
import type { FieldSelector, LabelSelector } from '@kubechain/apimachinery';
import type { ObjectAttributes, SelectionPredicate, ShardSelector } from '@kubechain/shared-storage';

class Selection implements SelectionPredicate {
  readonly label: LabelSelector;
  readonly field: FieldSelector;
  readonly shard: ShardSelector | undefined;
  readonly empty: boolean;

  constructor(label: LabelSelector, field: FieldSelector, shard?: ShardSelector) {
    this.label = label;
    this.field = field;
    this.shard = shard;
    this.empty = label.empty && field.empty && shard === undefined;
  }

  matches(attributes: ObjectAttributes): boolean {
    return (
      (this.label.empty || this.label.matches(attributes.labels, true)) &&
      (this.field.empty || this.field.matches(attributes.fields))
    );
  }
}

/** Selects all objects. */
export const everything: SelectionPredicate = new Selection(everyLabel, everyField);

/** Label and field selection, of a shard or of all objects, as storage wants it. */
export function selectionPredicate(
  label: LabelSelector | undefined,
  field: FieldSelector | undefined,
  shard?: ShardSelector,
): SelectionPredicate {
  const all = (label === undefined || label.empty) && (field === undefined || field.empty);
  if (all && shard === undefined) return everything;
  return new Selection(label ?? everyLabel, field ?? everyField, shard);
}

/** The value that `field` must have exactly for an object to match, if there is one. */
export function requiredValue(selector: FieldSelector, field: string): string | undefined {
  for (const requirement of selector.requirements)
    if (requirement.field === field && requirement.operator === '=') return requirement.value;
  return undefined;
}
