import { badRequest } from '@kubechain/apimachinery';
import type { FieldTerm, RESTStorage } from './storage.ts';

/**
 * One term of a field selector as the storage knows it.
 * @throws StatusError BadRequest for fields that cannot be selected by
 */
export function convertFieldLabelOf(storage: RESTStorage, term: FieldTerm): readonly [label: string, value: string] {
  if (storage.convertFieldLabel !== undefined) return storage.convertFieldLabel(term);
  const { label, value } = term;
  if (label === 'metadata.name' || label === 'metadata.namespace') return [label, value];
  throw badRequest(unknownFieldLabel(label));
}

/** The answer for kinds without selectable fields of their own (runtime.DefaultMetaV1FieldSelectorConversion). */
export function unknownFieldLabel(label: string): string {
  return `${JSON.stringify(label)} is not a known field selector: only "metadata.name", "metadata.namespace"`;
}
