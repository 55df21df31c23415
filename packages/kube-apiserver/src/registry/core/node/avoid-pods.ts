import { FieldPath, invalidValue, required, parseJSON } from '@kubechain/apimachinery';
import type { FieldError } from '@kubechain/apimachinery';

const key = 'scheduler.alpha.kubernetes.io/preferAvoidPods';
const path = FieldPath.of('metadata', 'annotations');

interface AvoidPods {
  readonly preferAvoidPods?: readonly {
    readonly podSignature?: { readonly podController?: { readonly controller?: boolean } };
  }[];
}

/**
 * An old annotation that names controllers whose pods should be elsewhere (ValidateAvoidPodsInNodeAnnotations of
 * pkg/apis/core/validation, 1.36).
 */
export function validateAvoidPods(annotations: Readonly<Record<string, string>>): FieldError[] {
  const text = annotations[key] ?? '';
  if (text === '') return [];
  let avoided: AvoidPods;
  try {
    avoided = (parseJSON(text) ?? {}) as AvoidPods;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return [invalidValue(path.child('AvoidPods'), key, error.message)];
  }
  return (avoided.preferAvoidPods ?? []).flatMap(({ podSignature }, i) => {
    const at = path.child(key).index(i).child('PodSignature');
    if (podSignature?.podController === undefined) return [required(at)];
    return podSignature.podController.controller === true
      ? []
      : [invalidValue(at.child('PodController', 'Controller'), false, 'must point to a controller')];
  });
}
