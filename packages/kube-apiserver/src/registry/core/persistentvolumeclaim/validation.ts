import {
  betaStorageClassAnnotation,
  cloneDecoded,
  FieldPath,
  forbiddenValue,
  invalidValue,
  isQualifiedName,
  notSupported,
  Quantity,
  required,
} from '@kubechain/apimachinery';
import type { FieldError } from '@kubechain/apimachinery';
import type { PersistentVolumeClaim, PersistentVolumeClaimSpec } from '@kubechain/apimachinery/types/core/v1';
import { semanticEqual } from '../../semantic-equal.ts';
import { immutable } from '../../validation/immutable.ts';
import { internalDiff } from '../../validation/internal-diff.ts';
import { isNativeResource, validateVolumeAmount } from '../resource-name.ts';
import { validateClaimSpec } from './claim-spec.ts';
import { alignDataSources } from './data-source.ts';

const specPath = FieldPath.of('spec');
const statusPath = FieldPath.of('status');
const sizePath = specPath.child('resources', 'requests', 'storage');
const classPath = specPath.child('volumeAttributesClassName');
const resizeStatuses = [
  'ControllerResizeInProgress',
  'ControllerResizeInfeasible',
  'NodeResizeInProgress',
  'NodeResizeInfeasible',
  'NodeResizePending',
];

/** Rules of new claims (ValidatePersistentVolumeClaim of pkg/apis/core/validation, 1.36). */
export function validatePersistentVolumeClaim({ spec = {} }: PersistentVolumeClaim): FieldError[] {
  return validateClaimSpec(spec, specPath);
}

/**
 * Rules of an update: a claim stays what it was but for its size and its attributes once it is bound
 * (ValidatePersistentVolumeClaimUpdate).
 */
export function validatePersistentVolumeClaimUpdate(
  claim: PersistentVolumeClaim,
  old: PersistentVolumeClaim,
): FieldError[] {
  const before = structuredClone(old.spec ?? {});
  alignDataSources(before);
  const spec = claim.spec ?? {};
  const asked = allowedChangesUndone(claim, { ...old, spec: before });
  return [
    ...validateClaimSpec(spec, specPath, before),
    ...(movesClass(claim, old) ? [] : annotationIsImmutable(claim, old)),
    ...(semanticEqual(asked.after, asked.before)
      ? []
      : [
          forbiddenValue(
            specPath,
            'spec is immutable after creation except resources.requests and volumeAttributesClassName for ' +
              `bound claims\n${internalDiff('core.PersistentVolumeClaimSpec', asked)}`,
          ),
        ]),
    ...validateShrinking(sizeOf(spec), sizeOf(before), old),
    ...immutable('volumeMode', spec.volumeMode, before.volumeMode),
    ...validateClassRemoval(spec, old),
  ];
}

/** Rules of the status endpoint (ValidatePersistentVolumeClaimStatusUpdate). */
export function validatePersistentVolumeClaimStatus({ spec, status = {} }: PersistentVolumeClaim): FieldError[] {
  const { allocatedResourceStatuses = {}, allocatedResources = {}, capacity = {} } = status;
  const allocated = statusPath.child('allocatedResources');
  const statuses = statusPath.child('allocatedResourceStatuses');
  return [
    ...((spec?.accessModes?.length ?? 0) === 0 ? [required('Spec.accessModes')] : []),
    ...Object.keys(capacity)
      .sort()
      .flatMap((name) => validateVolumeAmount(capacity[name], statusPath.child('capacity').key(name))),
    ...Object.keys(allocatedResourceStatuses)
      .sort()
      .flatMap((name) => [
        ...validateResource(name, statuses),
        ...(resizeStatuses.includes(allocatedResourceStatuses[name] ?? '')
          ? []
          : [notSupported(statuses, name, resizeStatuses)]),
      ]),
    ...Object.keys(allocatedResources)
      .sort()
      .flatMap((name) => {
        const errors = validateResource(name, allocated);
        return errors.length > 0 ? errors : validateVolumeAmount(allocatedResources[name], allocated.key(name));
      }),
  ];
}

/** Of Kubernetes' own resources claims know storage alone. */
function validateResource(name: string, path: FieldPath): FieldError[] {
  const messages = isQualifiedName(name);
  if (messages.length > 0) return messages.map((message) => invalidValue(path, name, message));
  return isNativeResource(name) && name !== 'storage' ? [notSupported(path, name, ['storage'])] : [];
}

interface SpecChange {
  readonly before: PersistentVolumeClaimSpec;
  readonly after: PersistentVolumeClaimSpec;
}

/**
 * Both specs with what may change made the same: the first volume, the way a class is named, and the size and
 * attributes of a bound claim.
 */
function allowedChangesUndone(claim: PersistentVolumeClaim, old: PersistentVolumeClaim): SpecChange {
  const before: PersistentVolumeClaimSpec = { ...old.spec };
  const after: PersistentVolumeClaimSpec = cloneDecoded(claim.spec ?? {});
  if ((before.volumeName ?? '') === '' && after.volumeName !== undefined) before.volumeName = after.volumeName;
  if (movesClass(claim, old) || namesFirstClass(claim, old)) delete after.storageClassName;
  if (claim.status?.phase !== 'Bound') return { before, after };
  if (after.resources?.requests !== undefined) {
    const size = old.spec?.resources?.requests?.['storage'];
    after.resources = {
      ...after.resources,
      requests: { ...after.resources.requests, ...(size === undefined ? {} : { storage: size }) },
    };
  }
  if (before.volumeAttributesClassName === undefined) delete after.volumeAttributesClassName;
  else after.volumeAttributesClassName = before.volumeAttributesClassName;
  return { before, after };
}

/** The class moves from the old annotation into its field. */
function movesClass(claim: PersistentVolumeClaim, old: PersistentVolumeClaim): boolean {
  const before = old.metadata?.annotations?.[betaStorageClassAnnotation];
  const now = claim.metadata?.annotations?.[betaStorageClassAnnotation];
  return (
    before !== undefined &&
    old.spec?.storageClassName === undefined &&
    claim.spec?.storageClassName === before &&
    (now === undefined || now === before)
  );
}

/** A claim without a class gets one, which must be the annotation's if there is one. */
function namesFirstClass(claim: PersistentVolumeClaim, old: PersistentVolumeClaim): boolean {
  const name = claim.spec?.storageClassName;
  const annotation = old.metadata?.annotations?.[betaStorageClassAnnotation];
  return (
    name !== undefined && old.spec?.storageClassName === undefined && (annotation === undefined || annotation === name)
  );
}

function annotationIsImmutable(claim: PersistentVolumeClaim, old: PersistentVolumeClaim): FieldError[] {
  const now = claim.metadata?.annotations?.[betaStorageClassAnnotation] ?? '';
  return now === (old.metadata?.annotations?.[betaStorageClassAnnotation] ?? '')
    ? []
    : [invalidValue(FieldPath.of('metadata', 'annotations', betaStorageClassAnnotation), now, 'field is immutable')];
}

/** A size may go back as long as the volume has not reached it, for those whose growing fails. */
function validateShrinking(size: Quantity, before: Quantity, old: PersistentVolumeClaim): FieldError[] {
  const reached = Quantity.parse(old.status?.capacity?.['storage'] ?? '0');
  return size.compare(before) < 0 && size.compare(reached) <= 0
    ? [forbiddenValue(sizePath, 'field can not be less than status.capacity')]
    : [];
}

function sizeOf(spec: PersistentVolumeClaimSpec): Quantity {
  return Quantity.parse(spec.resources?.requests?.['storage'] ?? '0');
}

/** Attributes that were applied are not taken away. */
function validateClassRemoval(
  { volumeAttributesClassName: name }: PersistentVolumeClaimSpec,
  old: PersistentVolumeClaim,
): FieldError[] {
  if (name === old.spec?.volumeAttributesClassName || old.status?.currentVolumeAttributesClassName === undefined)
    return [];
  if (name === undefined)
    return [
      forbiddenValue(classPath, 'update to nil is forbidden when status.currentVolumeAttributesClassName is not nil'),
    ];
  return name === ''
    ? [
        forbiddenValue(
          classPath,
          'update to empty string is forbidden when status.currentVolumeAttributesClassName is not nil',
        ),
      ]
    : [];
}
