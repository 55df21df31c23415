import { append, FieldPath, invalidValue } from '@kubechain/apimachinery';
import type { FieldError, KubeObject } from '@kubechain/apimachinery';
import type { ScalePaths } from '../definition/crd-types.ts';
import { nestedInteger, nestedString } from './nested-value.ts';

const maxInt32 = 2_147_483_647;

/**
 * What the scale endpoint could not show: replicas that are no int32, a selector that is no text
 * (pkg/registry/customresource/validator.go, 1.36).
 */
export function validateScale(
  object: KubeObject,
  paths: ScalePaths | undefined,
  parts: { readonly spec: boolean },
): FieldError[] {
  if (paths === undefined) return [];
  const errors = parts.spec ? replicasErrors(object, paths.specReplicasPath) : [];
  append(errors, replicasErrors(object, paths.statusReplicasPath));
  if (paths.labelSelectorPath !== undefined) {
    const { problem } = nestedString(object, paths.labelSelectorPath);
    if (problem !== undefined) errors.push(invalidValue(FieldPath.of(paths.labelSelectorPath), '', problem));
  }
  return errors;
}

function replicasErrors(object: KubeObject, path: string): FieldError[] {
  const { problem, value = 0 } = nestedInteger(object, path);
  if (problem !== undefined) return [invalidValue(FieldPath.of(path), 0, problem)];
  if (value < 0) return [invalidValue(FieldPath.of(path), value, 'should be a non-negative integer')];
  return value > maxInt32
    ? [invalidValue(FieldPath.of(path), value, `should be less than or equal to ${maxInt32}`)]
    : [];
}
