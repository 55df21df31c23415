import {
  invalidValue,
  isDNS1123Label,
  isDNS1123Subdomain,
  Quantity,
  required,
  validateLabelSelector,
} from '@kubechain/apimachinery';
import type { FieldError, FieldPath } from '@kubechain/apimachinery';
import type {
  PersistentVolumeClaimSpec,
  PersistentVolumeClaimTemplate,
  TypedObjectReference,
} from '@kubechain/apimachinery/types/core/v1';
import { keptSelectorRules } from '../../validation/kept-selectors.ts';
import { filled, format, oneOfIfSet } from '../../validation/rules.ts';
import { validateAccessModes } from '../access-modes.ts';
import { validateTemplateMetadata } from '../template-metadata.ts';

const className = filled(format(isDNS1123Subdomain));
/** Whether a volume is a file system or a raw device. */
export const volumeMode = oneOfIfSet(['Block', 'Filesystem']);

/**
 * Rules of what is claimed, in claims and in templates of claims (ValidatePersistentVolumeClaimSpec of
 * pkg/apis/core/validation, 1.36). What a stored claim (`old`) has of wrong API groups and selectors, its update may
 * have too.
 */
export function validateClaimSpec(
  spec: PersistentVolumeClaimSpec,
  path: FieldPath,
  old?: PersistentVolumeClaimSpec,
): FieldError[] {
  const modes = path.child('accessModes');
  return [
    ...((spec.accessModes?.length ?? 0) === 0 ? [required(modes, 'at least 1 access mode is required')] : []),
    ...validateLabelSelector(spec.selector, path.child('selector'), keptSelectorRules([old?.selector])),
    ...validateAccessModes(spec.accessModes, modes),
    ...validateSize(spec.resources?.requests?.['storage'], path.child('resources').key('storage')),
    ...className(spec.storageClassName, path.child('storageClassName')),
    ...volumeMode(spec.volumeMode, path.child('volumeMode')),
    ...validateDataSources(spec, path, old),
    ...className(spec.volumeAttributesClassName, path.child('volumeAttributesClassName')),
  ];
}

/** Rules of a template that a claim is made from (ValidatePersistentVolumeClaimTemplate). */
export function validateClaimTemplate(
  { metadata = {}, spec }: PersistentVolumeClaimTemplate,
  path: FieldPath,
): FieldError[] {
  return [
    ...validateTemplateMetadata(metadata, path.child('metadata')),
    ...validateClaimSpec(spec, path.child('spec')),
  ];
}

function validateSize(text: string | undefined, path: FieldPath): FieldError[] {
  if (text === undefined) return [required(path)];
  return Quantity.parse(text).sign > 0 ? [] : [invalidValue(path, text, 'must be greater than zero')];
}

function validateDataSources(
  spec: PersistentVolumeClaimSpec,
  path: FieldPath,
  old: PersistentVolumeClaimSpec | undefined,
): FieldError[] {
  const { dataSource, dataSourceRef } = spec;
  // A claim that names a group already may name any.
  const check = {
    anyGroup: [old?.dataSource, old?.dataSourceRef].some(
      (source) => source?.apiGroup !== undefined && source.apiGroup !== null,
    ),
  };
  const errors = [
    ...(dataSource === undefined ? [] : validateReference(dataSource, path.child('dataSource'), check)),
    ...(dataSourceRef === undefined
      ? []
      : [
          ...validateReference(dataSourceRef, path.child('dataSourceRef'), check),
          ...filled(format(isDNS1123Label))(dataSourceRef.namespace, path.child('dataSourceRef', 'namespace')),
        ]),
  ];
  if (dataSource === undefined || dataSourceRef === undefined) return errors;
  // The value of these errors is a path, of which nothing is printed.
  if ((dataSourceRef.namespace ?? '') !== '')
    return [...errors, invalidValue(path, {}, 'may not be specified when dataSourceRef.namespace is specified')];
  return sameSource(dataSource, dataSourceRef)
    ? errors
    : [...errors, invalidValue(path, {}, 'must match dataSourceRef')];
}

function validateReference(
  { apiGroup: group, kind = '', name = '' }: Partial<TypedObjectReference>,
  path: FieldPath,
  { anyGroup }: { readonly anyGroup: boolean },
): FieldError[] {
  // Stored claims have null for no group.
  const apiGroup = group ?? '';
  return [
    ...(name === '' ? [required(path.child('name'))] : []),
    ...(kind === '' ? [required(path.child('kind'))] : []),
    ...(apiGroup === '' && kind !== 'PersistentVolumeClaim'
      ? [invalidValue(path, kind, "must be 'PersistentVolumeClaim' when referencing the default apiGroup")]
      : []),
    ...(anyGroup ? [] : filled(format(isDNS1123Subdomain))(apiGroup, path.child('apiGroup'))),
  ];
}

function sameSource(a: Partial<TypedObjectReference>, b: Partial<TypedObjectReference>): boolean {
  return (a.apiGroup ?? '') === (b.apiGroup ?? '') && a.kind === b.kind && a.name === b.name;
}
