import { append } from '../object/append.ts';
import { byteLength, compareText, goJSON, isPrintable } from '../errors/go-format.ts';
import type { ManagedFieldsEntry, ObjectMeta, OwnerReference } from '../object/object.ts';
import type { FieldError } from '../errors/field-error.ts';
import {
  areEnough,
  forbiddenValue,
  invalidValue,
  notSupported,
  required,
  textByPointer,
  tooLong,
} from '../errors/field-error.ts';
import { FieldPath } from '../errors/field-path.ts';
import {
  isDNS1035Label,
  isDNS1123Label,
  isDNS1123Subdomain,
  isLabelValue,
  isLongName,
  isPathSegmentName,
  isPathSegmentPrefix,
  isQualifiedName,
} from './names.ts';
import { foregroundFinalizer, orphanFinalizer } from '../object/finalizers.ts';
import { ageOfBuiltinRelease } from './release-age.ts';
import type { ReleaseAge } from './release-age.ts';

/** All annotations of an object together, keys and values, in bytes. */
export const TOTAL_ANNOTATION_SIZE_LIMIT = 256 * 1024;
const MANAGER_MAX_LENGTH = 128;
const SUBRESOURCE_MAX_LENGTH = 256;
const operations: readonly string[] = ['Apply', 'Update'];

/** What is wrong with a name; with `prefix`, with the beginning of one (generateName). */
export type NameValidator = (name: string, prefix: boolean) => string[];

/** Lets the beginning of a name end in a dash; upstream cuts two characters here, and so do we. */
function maskTrailingDash(name: string, prefix: boolean): string {
  return prefix && name.length > 1 && name.endsWith('-') ? `${name.slice(0, -2)}a` : name;
}
/** Names of most kinds (apimachinery pkg/api/validation NameIsDNSSubdomain, 1.36). */
export const nameIsDNSSubdomain: NameValidator = (name, prefix) => isDNS1123Subdomain(maskTrailingDash(name, prefix));
/** Names that become a label of a host's name (NameIsDNSLabel, 1.36). */
export const nameIsDNSLabel: NameValidator = (name, prefix) => isDNS1123Label(maskTrailingDash(name, prefix));
/** The same, and they begin with a letter (NameIsDNS1035Label, 1.36). */
export const nameIsDNS1035Label: NameValidator = (name, prefix) => isDNS1035Label(maskTrailingDash(name, prefix));
/**
 * As {@link nameIsDNSSubdomain} for newer kinds, whose rules look at names alone and count bytes (validate.LongName,
 * 1.36).
 */
export const nameIsLongName: NameValidator = (name, prefix) => (prefix ? [] : isLongName(name));
/** Whatever a path can have. The checks of all objects ask for that, after the kind's own rules. */
export const nameIsAnything: NameValidator = () => [];
/** The least a name must be: one segment of a path. */
export const nameIsPathSegment: NameValidator = (name, prefix) =>
  prefix ? isPathSegmentPrefix(name) : isPathSegmentName(name);

/** How {@link validateObjectMeta} checks. */
export interface ObjectMetaValidation {
  readonly namespaced: boolean;
  readonly validateName: NameValidator;
  /** Default: `metadata`. */
  readonly path?: FieldPath;
  /** Whose rules hold. Default: the checked-in tables' release. */
  readonly release?: ReleaseAge | undefined;
}

const metadataPath = FieldPath.of('metadata');

/** Metadata of an object about to be created, after its name was generated (upstream ValidateObjectMetaAccessor). */
export function validateObjectMeta(meta: ObjectMeta, options: ObjectMetaValidation): FieldError[] {
  const path = options.path ?? metadataPath;
  const errors: FieldError[] = [];
  const { generateName = '', name = '', namespace = '' } = meta;
  if (generateName !== '') {
    for (const message of options.validateName(generateName, true))
      errors.push(invalidValue(path.child('generateName'), generateName, message));
  }
  if (name === '') errors.push(required(path.child('name'), 'name or generateName is required'));
  else
    for (const message of options.validateName(name, false))
      errors.push(invalidValue(path.child('name'), name, message));
  if (!options.namespaced) {
    if (namespace !== '') errors.push(forbiddenValue(path.child('namespace'), 'not allowed on this type'));
  } else if (namespace === '') errors.push(required(path.child('namespace')));
  else
    for (const message of nameIsDNSLabel(namespace, false))
      errors.push(invalidValue(path.child('namespace'), namespace, message));
  const generation = meta.generation ?? 0;
  if (generation < 0)
    errors.push(invalidValue(path.child('generation'), generation, 'must be greater than or equal to 0'));
  const { release } = options;
  validateCommon(meta, { path, release }, errors);
  if (meta.finalizers !== undefined) append(errors, validateFinalizers(meta.finalizers, path.child('finalizers')));
  if (meta.managedFields !== undefined)
    append(errors, validateManagedFields(meta.managedFields, path.child('managedFields'), release));
  return errors;
}

/** What an update may not change (upstream ValidateObjectMetaAccessorUpdate). */
export function validateObjectMetaUpdate(
  meta: ObjectMeta,
  old: ObjectMeta,
  options: Pick<ObjectMetaValidation, 'path' | 'release'> = {},
): FieldError[] {
  const { path = metadataPath, release } = options;
  const errors: FieldError[] = [];
  if (old.deletionTimestamp !== undefined && old.deletionTimestamp !== null) {
    append(errors, validateNoNewFinalizers(meta.finalizers ?? [], old.finalizers ?? [], path.child('finalizers')));
  }
  if ((meta.resourceVersion ?? '') === '')
    errors.push(invalidValue(path.child('resourceVersion'), '', 'must be specified for an update'));
  if ((meta.generation ?? 0) < (old.generation ?? 0))
    errors.push(invalidValue(path.child('generation'), meta.generation ?? 0, 'must not be decremented'));
  immutable('name', meta.name ?? '', old.name ?? '');
  immutable('namespace', meta.namespace ?? '', old.namespace ?? '');
  immutable('uid', meta.uid ?? '', old.uid ?? '');
  immutable('creationTimestamp', meta.creationTimestamp ?? null, old.creationTimestamp ?? null);
  immutable('deletionTimestamp', meta.deletionTimestamp ?? null, old.deletionTimestamp ?? null);
  immutable(
    'deletionGracePeriodSeconds',
    meta.deletionGracePeriodSeconds ?? null,
    old.deletionGracePeriodSeconds ?? null,
  );
  validateCommon(meta, { path, release }, errors);
  if (meta.managedFields !== undefined)
    append(errors, validateManagedFields(meta.managedFields, path.child('managedFields'), release));
  return errors;

  function immutable(field: string, now: string | number | null, before: string | number | null): void {
    // An identity is a text of a type of its own in Go.
    const value = field === 'uid' ? textByPointer(String(now)) : now;
    if (now !== before) errors.push(invalidValue(path.child(field), value, 'field is immutable'));
  }
}

function validateCommon(
  meta: ObjectMeta,
  { path, release }: { readonly path: FieldPath; readonly release: ReleaseAge | undefined },
  errors: FieldError[],
): void {
  if (meta.labels !== undefined) append(errors, validateLabels(meta.labels, path.child('labels')));
  if (meta.annotations !== undefined) append(errors, validateAnnotations(meta.annotations, path.child('annotations')));
  if (meta.ownerReferences !== undefined)
    append(errors, validateOwnerReferences(meta.ownerReferences, path.child('ownerReferences'), release));
}

/** Label keys and values; in the order of the keys (upstream's order is random). */
export function validateLabels(labels: Readonly<Record<string, string>>, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  for (const key of sortedKeys(labels)) {
    const value = labels[key] ?? '';
    for (const message of isQualifiedName(key)) errors.push(invalidValue(path, key, message));
    for (const message of isLabelValue(value)) errors.push(invalidValue(path, value, message));
  }
  return errors;
}

/** Annotation keys, and the size of all together. */
export function validateAnnotations(annotations: Readonly<Record<string, string>>, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  let size = 0;
  for (const key of sortedKeys(annotations)) {
    for (const message of isQualifiedName(key.toLowerCase())) errors.push(invalidValue(path, key, message));
    size += byteLength(key) + byteLength(annotations[key] ?? '');
  }
  if (size > TOTAL_ANNOTATION_SIZE_LIMIT) errors.push(tooLong(path, TOTAL_ANNOTATION_SIZE_LIMIT));
  return errors;
}

/** Owner references: complete, no Event as owner, at most one controller. */
export function validateOwnerReferences(
  references: readonly OwnerReference[],
  path: FieldPath,
  release: ReleaseAge = ageOfBuiltinRelease,
): FieldError[] {
  const isNew = release.since('1.37');
  const errors: FieldError[] = [];
  let controller = '';
  let all: readonly OwnerReference[] | undefined;
  for (const [i, reference] of references.entries()) {
    if (areEnough(errors)) break;
    const { apiVersion = '', kind = '', name = '' } = reference as Partial<OwnerReference>;
    const at = isNew ? path.index(i) : path;
    append(errors, isNew ? incompleteOwner(reference, at) : incompleteOwnerBefore(reference, at));
    if (apiVersion === 'v1' && kind === 'Event')
      errors.push(invalidValue(at, ownerJSON(reference), '/v1, Kind=Event is disallowed from being an owner'));
    if (reference.controller === true) {
      const current = `${kind}/${name}`;
      if (controller === '') controller = current;
      else {
        errors.push(
          invalidValue(
            path,
            (all ??= references.map(ownerJSON)),
            `Only one reference can have Controller set to true. Found "true" in references for ${controller} ` +
              `and ${current}`,
          ),
        );
      }
    }
  }
  return errors;
}

/** What a reference lacks, since 1.37. */
function incompleteOwner(reference: Partial<OwnerReference>, path: FieldPath): FieldError[] {
  const { apiVersion = '' } = reference;
  const lacks = (['apiVersion', 'kind', 'name', 'uid'] as const).filter((field) => (reference[field] ?? '') === '');
  return [
    ...(apiVersion !== '' && isUnversioned(apiVersion)
      ? [invalidValue(path.child('apiVersion'), apiVersion, 'must be <group>/<version> or <version>')]
      : []),
    ...lacks.map((field) => required(path.child(field), 'must not be empty')),
  ];
}

/** The same before 1.37. */
function incompleteOwnerBefore(reference: Partial<OwnerReference>, path: FieldPath): FieldError[] {
  const { apiVersion = '' } = reference;
  const lacks = (['kind', 'name', 'uid'] as const).filter((field) => (reference[field] ?? '') === '');
  return [
    ...(isUnversioned(apiVersion)
      ? [invalidValue(path.child('apiVersion'), apiVersion, 'version must not be empty')]
      : []),
    ...lacks.map((field) => invalidValue(path.child(field), '', 'must not be empty')),
  ];
}

/** A second slash makes Go's parser give up, which leaves the version empty. */
function isUnversioned(apiVersion: string): boolean {
  const version = apiVersion.slice(apiVersion.indexOf('/') + 1);
  return version === '' || version.includes('/');
}

/** A reference with the fields in the order and completeness that Go prints. */
function ownerJSON(reference: OwnerReference): OwnerReference {
  const {
    apiVersion = '',
    kind = '',
    name = '',
    uid = '',
    controller,
    blockOwnerDeletion,
  } = reference as Partial<OwnerReference>;
  return {
    apiVersion,
    kind,
    name,
    uid,
    ...(controller === undefined ? {} : { controller }),
    ...(blockOwnerDeletion === undefined ? {} : { blockOwnerDeletion }),
  };
}

/** Names of finalizers, and no contradiction between the two of the garbage collector. */
export function validateFinalizers(finalizers: readonly string[], path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  for (const finalizer of finalizers) {
    if (areEnough(errors)) break;
    for (const message of isQualifiedName(finalizer)) errors.push(invalidValue(path, finalizer, message));
  }
  if (finalizers.includes(orphanFinalizer) && finalizers.includes(foregroundFinalizer)) {
    errors.push(
      invalidValue(path, finalizers, `finalizer ${orphanFinalizer} and ${foregroundFinalizer} cannot be both set`),
    );
  }
  return errors;
}

/** An object on its way out takes no new finalizers. */
function validateNoNewFinalizers(finalizers: readonly string[], old: readonly string[], path: FieldPath): FieldError[] {
  const known = new Set(old);
  const added = [...new Set(finalizers)].filter((finalizer) => !known.has(finalizer)).sort(compareText);
  if (added.length === 0) return [];
  const list = added.map((finalizer) => goJSON(finalizer)).join(', ');
  return [
    forbiddenValue(
      path,
      `no new finalizers can be added if the object is being deleted, found new finalizers []string{${list}}`,
    ),
  ];
}

/** Entries of `metadata.managedFields`, but for their sets (see apply). */
function validateManagedFields(
  entries: readonly ManagedFieldsEntry[],
  path: FieldPath,
  release: ReleaseAge = ageOfBuiltinRelease,
): FieldError[] {
  const errors: FieldError[] = [];
  entries.forEach((entry, i) => {
    const at = path.index(i);
    if (!operations.includes(entry.operation ?? ''))
      errors.push(badOperation(entry.operation ?? '', at.child('operation'), release));
    const fieldsType: string = entry.fieldsType ?? '';
    if (fieldsType !== '' && fieldsType !== 'FieldsV1')
      errors.push(invalidValue(at.child('fieldsType'), fieldsType, 'must be `FieldsV1`'));
    append(errors, validateFieldManager(entry.manager ?? '', at.child('manager')));
    if (byteLength(entry.subresource ?? '') > SUBRESOURCE_MAX_LENGTH)
      errors.push(tooLong(at.child('subresource'), SUBRESOURCE_MAX_LENGTH));
  });
  return errors;
}

function badOperation(operation: string, path: FieldPath, release: ReleaseAge): FieldError {
  if (!release.since('1.37')) return invalidValue(path, operation, 'must be `Apply` or `Update`');
  return operation === '' ? required(path, 'must not be empty') : notSupported(path, operation, operations);
}

/** The name of a field manager: short and printable. */
export function validateFieldManager(manager: string, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (byteLength(manager) > MANAGER_MAX_LENGTH) errors.push(tooLong(path, MANAGER_MAX_LENGTH));
  let position = 0;
  for (const character of manager) {
    if (!isPrintable(character)) {
      const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
      errors.push(invalidValue(path, manager, `invalid character U+${code} (at position ${position})`));
      // Each quotes the whole name.
      if (areEnough(errors, manager.length)) break;
    }
    position += byteLength(character);
  }
  return errors;
}

/** Stored maps and those of most clients are in order already. */
function sortedKeys(map: Readonly<Record<string, string>>): string[] {
  const keys = Object.keys(map);
  for (let i = 1; i < keys.length; i++)
    if (compareText(keys[i - 1] ?? '', keys[i] ?? '') > 0) return keys.sort(compareText);
  return keys;
}
