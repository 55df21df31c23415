import { duplicate, FieldPath, repeats, required } from '@kubechain/apimachinery';
import type { FieldError } from '@kubechain/apimachinery';

const conditionsPath = FieldPath.of('status', 'conditions');

/**
 * Conditions of flow schemas and priority levels: each of a type, and each type once (pkg/apis/flowcontrol/validation,
 * 1.36).
 */
export function validateConditionTypes(conditions: readonly { readonly type?: string }[] = []): FieldError[] {
  const types = conditions.map(({ type = '' }) => type);
  const repeated = repeats(types);
  return types.flatMap((type, i) => {
    const path = conditionsPath.index(i).child('type');
    return [...(repeated[i] === true ? [duplicate(path, type)] : []), ...(type === '' ? [required(path)] : [])];
  });
}
