import { FieldPath, invalidValue, isDNS1123Label, required } from '@kubechain/apimachinery';
import type { FieldError } from '@kubechain/apimachinery';
import type { RuntimeClass } from '@kubechain/apimachinery/types/node/v1';
import { immutable } from '../../validation/immutable.ts';

const handlerPath = FieldPath.of('handler');

/** Rules of runtime classes: the handler has a name (pkg/apis/node/validation, 1.36). */
export function validateRuntimeClass(runtimeClass: RuntimeClass): FieldError[] {
  const handler = runtimeClass.handler || '';
  return handler === '' ? [required(handlerPath)] : isDNS1123Label(handler).map((message) => invalidValue(handlerPath, handler, message));
}

/** The handler never changes. */
export function validateRuntimeClassUpdate(runtimeClass: RuntimeClass, old: RuntimeClass): FieldError[] {
  return immutable(handlerPath, runtimeClass.handler || '', old.handler || '');
}
