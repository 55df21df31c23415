import {
  append,
  areEnough,
  duplicate,
  FieldPath,
  invalidValue,
  isQualifiedName,
  notSupported,
  printed,
  repeats,
  required,
} from '@kubechain/apimachinery';
import type { FieldError } from '@kubechain/apimachinery';
import type { TopologySelectorLabelRequirement, TopologySelectorTerm } from '@kubechain/apimachinery/types/core/v1';
import type { StorageClass } from '@kubechain/apimachinery/types/storage/v1';
import { nodeLabelMessage } from '../../core/node-label-warnings.ts';
import { immutable } from '../../validation/immutable.ts';
import { format } from '../../validation/rules.ts';
import { semanticEqual } from '../../semantic-equal.ts';
import { publishedForm } from '../../validation/internal-form.ts';
import { validateParameters, validateProvisioner } from '../parameters.ts';

const topologiesPath = FieldPath.of('allowedTopologies');
const reclaimPolicies = ['Delete', 'Retain'];
const bindingModes = ['Immediate', 'WaitForFirstConsumer'];
const labelName = format(isQualifiedName);

/** Rules of new storage classes (ValidateStorageClass of pkg/apis/storage/validation, 1.36). */
export function validateStorageClass({
  allowedTopologies,
  parameters,
  provisioner,
  reclaimPolicy,
  volumeBindingMode,
}: StorageClass): FieldError[] {
  return [
    ...validateProvisioner(provisioner, FieldPath.of('provisioner')),
    ...validateParameters(parameters, FieldPath.of('parameters'), { allowEmpty: true }),
    ...(!reclaimPolicy || reclaimPolicies.includes(reclaimPolicy)
      ? []
      : [notSupported('reclaimPolicy', reclaimPolicy, reclaimPolicies)]),
    ...validateBindingMode(volumeBindingMode),
    ...validateTopologies(allowedTopologies ?? []),
  ];
}

/** Must be there; but text that is empty is a mode that nobody knows. */
function validateBindingMode(mode: string | undefined): FieldError[] {
  if (mode === undefined) return [required('volumeBindingMode')];
  return bindingModes.includes(mode) ? [] : [notSupported('volumeBindingMode', mode, bindingModes)];
}

/** What a class means never changes (ValidateStorageClassUpdate). */
export function validateStorageClassChange(storageClass: StorageClass, old: StorageClass): FieldError[] {
  return [
    ...(semanticEqual(storageClass.parameters, old.parameters)
      ? []
      : [invalidValue('parameters', publishedForm(printed(storageClass, 'parameters')), 'field is immutable')]),
    ...immutable('provisioner', storageClass.provisioner || '', old.provisioner || ''),
    ...immutable('reclaimPolicy', storageClass.reclaimPolicy, old.reclaimPolicy),
    ...immutable('volumeBindingMode', storageClass.volumeBindingMode, old.volumeBindingMode),
  ];
}

/** Labels of nodes that are not used any more (GetWarningsForStorageClass of pkg/api/storage). */
export function storageClassWarnings({ allowedTopologies = [] }: StorageClass): string[] {
  return allowedTopologies.flatMap(({ matchLabelExpressions = [] }, i) =>
    matchLabelExpressions.flatMap(({ key }, j) => {
      const message = nodeLabelMessage(key);
      return message === undefined
        ? []
        : [`${topologiesPath.index(i).child('matchLabelExpressions').index(j).child('key').toString()}: ${message}`];
    }),
  );
}

/**
 * Each term for itself, and no two that mean the same. The reference's list of the terms seen begins with as many
 * empty ones as there are terms, so that a term without expressions is named once for each of them.
 */
function validateTopologies(terms: readonly TopologySelectorTerm[]): FieldError[] {
  const seen = new Map([['[]', terms.length]]);
  const errors: FieldError[] = [];
  terms.forEach((term, i) => {
    const path = topologiesPath.index(i);
    const meaning = meaningOf(term);
    const times = seen.get(meaning) ?? 0;
    seen.set(meaning, times + 1);
    append(errors, validateTerm(term, path));
    for (let told = 0; told < times && !areEnough(errors); told++)
      errors.push(duplicate(path.child('matchLabelExpressions'), ''));
  });
  return errors;
}

/** The same text for terms that select the same: by key, the values of its last requirement, in any order. */
function meaningOf({ matchLabelExpressions = [] }: TopologySelectorTerm): string {
  const byKey = new Map(
    matchLabelExpressions.map(({ key = '', values = [] }: Partial<TopologySelectorLabelRequirement>) => [
      key,
      [...new Set(values)].sort(),
    ]),
  );
  return JSON.stringify([...byKey].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function validateTerm({ matchLabelExpressions = [] }: TopologySelectorTerm, path: FieldPath): FieldError[] {
  const keys = new Set<string>();
  return matchLabelExpressions.flatMap((requirement: Partial<TopologySelectorLabelRequirement>, i) => {
    const { key = '' } = requirement;
    const at = path.child('matchLabelExpressions').index(i);
    const errors = validateRequirement(requirement, at);
    if (keys.has(key)) errors.push(duplicate(at.child('key'), key));
    keys.add(key);
    return errors;
  });
}

function validateRequirement(
  { key, values = [] }: Partial<TopologySelectorLabelRequirement>,
  path: FieldPath,
): FieldError[] {
  const at = path.child('values');
  const repeated = repeats(values);
  return [
    ...(values.length === 0 ? [required(at)] : []),
    ...values.flatMap((value, i) => (repeated[i] === true ? [duplicate(at.index(i), value)] : [])),
    ...labelName(key, path.child('key')),
  ];
}
