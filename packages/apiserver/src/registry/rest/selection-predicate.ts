import { everyField, everyLabel } from '@kubechain/apimachinery';
import type { FieldSelector, LabelSelector } from '@kubechain/apimachinery';
import type { ObjectAttributes, SelectionPredicate } from '@kubechain/shared-storage';

class Selection implements SelectionPredicate {
  readonly label: LabelSelector;
  readonly field: FieldSelector;
  readonly empty: boolean;

  constructor(label: LabelSelector, field: FieldSelector) {
    this.label = label;
    this.field = field;
    this.empty = label.empty && field.empty;
  }

  matches(attributes: ObjectAttributes): boolean {
    return (
      (this.label.empty || this.label.matches(attributes.labels)) &&
      (this.field.empty || this.field.matches(attributes.fields))
    );
  }
}

/** Selects all objects. */
export const everything: SelectionPredicate = new Selection(everyLabel, everyField);

/** Label and field selection as storage wants it. */
export function selectionPredicate(
  label: LabelSelector | undefined,
  field: FieldSelector | undefined,
): SelectionPredicate {
  if ((label === undefined || label.empty) && (field === undefined || field.empty)) return everything;
  return new Selection(label ?? everyLabel, field ?? everyField);
}

/** The value that `field` must have exactly for an object to match, if there is one. */
export function requiredValue(selector: FieldSelector, field: string): string | undefined {
  for (const requirement of selector.requirements)
    if (requirement.field === field && requirement.operator === '=') return requirement.value;
  return undefined;
}
