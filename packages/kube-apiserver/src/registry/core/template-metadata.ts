import { forbiddenValue, isGiven, validateAnnotations, validateLabels } from '@kubechain/apimachinery';
import type { FieldError, FieldPath } from '@kubechain/apimachinery';

/** Metadata that templates do not have. */
const others = [
  'name',
  'generateName',
  'namespace',
  'selfLink',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'ownerReferences',
  'finalizers',
  'managedFields',
];

/**
 * Metadata of a template that objects are made from: labels and annotations alone; errors spell the others as the
 * reference does (ValidateTemplateObjectMeta of pkg/apis/core/validation, 1.36).
 */
export function validateTemplateMetadata(metadata: object, path: FieldPath): FieldError[] {
  const {
    annotations = {},
    labels = {},
    ...rest
  } = metadata as Readonly<Record<string, unknown>> & {
    readonly annotations?: Record<string, string>;
    readonly labels?: Record<string, string>;
  };
  return [
    ...validateAnnotations(annotations, path.child('annotations')),
    ...validateLabels(labels, path.child('labels')),
    ...others
      .filter((field) => rest[field] !== '' && isGiven(metadata as Readonly<Record<string, unknown>>, field))
      .map((field) => forbiddenValue(path.child(field === 'uid' ? 'uID' : field), 'cannot be set')),
  ];
}
