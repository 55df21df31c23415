import {
  duplicate,
  FieldPath,
  invalidValue,
  isDNS1123Label,
  repeats,
  required,
  validateLabels,
} from '@kubechain/apimachinery';
import type { FieldError } from '@kubechain/apimachinery';
import type { RuntimeClass, Scheduling } from '@kubechain/apimachinery/types/node/v1';
import { nodeLabelMessage } from '../../core/node-label-warnings.ts';
import { validateTolerations } from '../../core/pod/validation/pod-spec.ts';
import { validateOverhead } from '../../core/pod/validation/resources.ts';
import { immutable } from '../../validation/immutable.ts';
import { internalForm } from '../../validation/internal-form.ts';

const handlerPath = FieldPath.of('handler');
const schedulingPath = FieldPath.of('scheduling');

/**
 * Rules of runtime classes: the handler has a name, and pods can have the rest (ValidateRuntimeClass of
 * pkg/apis/node/validation, 1.36).
 */
export function validateRuntimeClass({ handler = '', overhead, scheduling }: Partial<RuntimeClass>): FieldError[] {
  return [
    ...(handler === ''
      ? [required(handlerPath)]
      : isDNS1123Label(handler).map((message) => invalidValue(handlerPath, handler, message))),
    ...(overhead === undefined ? [] : validateOverhead(overhead.podFixed ?? {}, FieldPath.of('overhead'))),
    ...(scheduling === undefined ? [] : validateScheduling(scheduling)),
  ];
}

function validateScheduling({ nodeSelector, tolerations = [] }: Scheduling): FieldError[] {
  const path = schedulingPath.child('tolerations');
  const repeated = repeats(
    tolerations.map(({ effect = '', key = '', operator = '', value = '' }) =>
      JSON.stringify([key, operator, value, effect]),
    ),
  );
  return [
    ...validateLabels(nodeSelector ?? {}, schedulingPath.child('nodeSelector')),
    ...validateTolerations(tolerations, path),
    ...tolerations.flatMap((toleration, i) =>
      repeated[i] === true ? [duplicate(path.index(i), internalForm('core.Toleration', toleration))] : [],
    ),
  ];
}

/** Labels of nodes that are not used any more (GetWarningsForRuntimeClass of pkg/api/node). */
export function runtimeClassWarnings({ scheduling }: RuntimeClass): string[] {
  return Object.keys(scheduling?.nodeSelector ?? {}).flatMap((label) => {
    const message = nodeLabelMessage(label);
    return message === undefined ? [] : [`${schedulingPath.child('nodeSelector').toString()}: ${message}`];
  });
}

/** The handler never changes. */
export function validateRuntimeClassChange(runtimeClass: RuntimeClass, old: RuntimeClass): FieldError[] {
  return immutable(handlerPath, runtimeClass.handler || '', old.handler || '');
}
