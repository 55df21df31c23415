import { append, FieldPath, compareText, invalidValue } from '@kubechain/apimachinery';
import type { FieldError, KubeObject } from '@kubechain/apimachinery';
import type { JSONSchemaProps } from '../schema/json-schema-props.ts';
import type { CRDNames } from '../definition/crd-types.ts';
import { toInternalSpec } from './internal-spec.ts';
import type { InternalSpec, WrittenSpec } from './internal-spec.ts';
import { validateApproval, validateNames } from './names.ts';
import type { RuleChecker } from './rule-checker.ts';
import { validateSpec } from './spec.ts';
import { problemOfPattern, type PatternProblem } from './structural.ts';
import { allowancesOf, schemasIn, strictest } from './update-allowances.ts';

export interface CRDValidationOptions {
  /** The implementation of CEL rules. Without one, CRDs with rules are refused with an InternalError. */
  readonly rules?: RuleChecker;
  /** Of patterns that were compiled before. Default: each is compiled when it is met. */
  readonly patternProblem?: PatternProblem;
}

interface WrittenStatus {
  readonly acceptedNames?: Partial<CRDNames>;
  readonly storedVersions?: readonly string[];
  readonly conditions?: readonly { readonly type: string; readonly status: string }[];
}

/**
 * Validates a CustomResourceDefinition on create, or on update from `old`, with the reference's causes and order
 * (pkg/apis/apiextensions/validation, 1.36); what upstream visits in the random order of Go maps is sorted by name.
 * Defaults (singular, listKind, conversion) and storedVersions are set before. Checks of ObjectMeta are the generic
 * registry's, but for the rule that the name is made of plural and group.
 */
export function validateCRD(crd: KubeObject, old?: KubeObject, options: CRDValidationOptions = {}): FieldError[] {
  const { patternProblem = problemOfPattern, rules } = options;
  const spec = toInternalSpec((crd['spec'] ?? {}) as WrittenSpec);
  const path = FieldPath.of('spec');
  const errors: FieldError[] = [];
  if (old === undefined) {
    append(errors, validateName(crd, spec));
    append(errors, validateSpec(spec, path, strictest({ patternProblem, rules })));
  } else {
    const before = toInternalSpec((old['spec'] ?? {}) as WrittenSpec);
    const established =
      statusOf(old).conditions?.some(({ type, status }) => type === 'Established' && status === 'True') === true;
    append(errors, validateSpec(spec, path, allowancesOf(spec, before, { established, patternProblem, rules })));
    append(errors, validateImmutable(spec, before, { path, established }));
  }
  const status = statusOf(crd);
  append(errors, validateCRDStatus(crd));
  append(errors, validateStoredVersions(status.storedVersions ?? [], spec, FieldPath.of('status', 'storedVersions')));
  append(errors, validateApproval(spec.group, crd.metadata, old?.metadata));
  const kept = (old?.['spec'] as WrittenSpec | undefined)?.preserveUnknownFields === true;
  if (!kept && spec.preserveUnknownFields === true) {
    errors.push(
      invalidValue(
        path.child('preserveUnknownFields'),
        true,
        'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead',
      ),
    );
  }
  return errors;
}

/** All schemas that are looked at when a definition is validated. */
export function schemasOf(...definitions: readonly (KubeObject | undefined)[]): JSONSchemaProps[] {
  return definitions.flatMap((definition) =>
    definition === undefined ? [] : schemasIn(toInternalSpec((definition['spec'] ?? {}) as WrittenSpec)),
  );
}

/** What the status endpoint checks beside ObjectMeta. */
export function validateCRDStatus(crd: KubeObject): FieldError[] {
  return validateNames(statusOf(crd).acceptedNames ?? {}, FieldPath.of('status', 'acceptedNames'));
}

function statusOf(crd: KubeObject): WrittenStatus {
  return (crd['status'] ?? {}) as WrittenStatus;
}

function validateName(crd: KubeObject, spec: InternalSpec): FieldError[] {
  const wanted = `${spec.names.plural ?? ''}.${spec.group}`;
  const { generateName = '', name = '' } = crd.metadata ?? {};
  return (
    [
      ['generateName', generateName],
      ['name', name],
    ] as const
  )
    .filter(([, value]) => value !== '' && value !== wanted)
    .map(([field, value]) =>
      invalidValue(FieldPath.of('metadata', field), value, 'must be spec.names.plural+"."+spec.group'),
    );
}

function validateImmutable(
  spec: InternalSpec,
  old: InternalSpec,
  { path, established }: { readonly path: FieldPath; readonly established: boolean },
): FieldError[] {
  const errors: FieldError[] = [];
  const same = (at: FieldPath, now: string, before: string): void => {
    if (now !== before) errors.push(invalidValue(at, now, 'field is immutable'));
  };
  if (established) {
    same(path.child('scope'), spec.scope, old.scope);
    same(path.child('names', 'kind'), spec.names.kind ?? '', old.names.kind ?? '');
  }
  same(path.child('group'), spec.group, old.group);
  same(path.child('names', 'plural'), spec.names.plural ?? '', old.names.plural ?? '');
  return errors;
}

function validateStoredVersions(stored: readonly string[], spec: InternalSpec, path: FieldPath): FieldError[] {
  if (stored.length === 0) return [invalidValue(path, null, 'must have at least one stored version')];
  const errors: FieldError[] = [];
  const unseen = new Set(stored);
  for (const { name, storage } of spec.versions) {
    // A second version of the same name finds its entry used up.
    const known = unseen.delete(name);
    if (storage && !known) errors.push(invalidValue(path, stored, `must have the storage version ${name}`));
  }
  const missing = [...unseen].sort(compareText);
  for (const name of missing) {
    errors.push(
      invalidValue(
        path.index(stored.lastIndexOf(name)),
        name,
        `missing from spec.versions; ${name} was previously a storage version, and must remain in ` +
          `spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ` +
          `${name} from status.storedVersions`,
      ),
    );
  }
  return errors;
}
