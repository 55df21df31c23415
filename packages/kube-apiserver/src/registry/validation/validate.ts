import type { FieldError, KubeObject } from '@kubechain/apimachinery';
import type { RESTContext, Strategy } from '@kubechain/apiserver/resources';

/** A kind's rules over objects of its shape; decoding has checked that objects have it. */
export interface Rules<T> {
  readonly create?: (object: T, context: RESTContext) => readonly FieldError[];
  readonly update?: (object: T, old: T, context: RESTContext) => readonly FieldError[];
}

/** The hooks of a strategy that apply `rules`. */
export function validated<T>({ create, update }: Rules<T>): Pick<Strategy, 'validate' | 'validateUpdate'> {
  return {
    ...(create === undefined
      ? {}
      : { validate: (object: KubeObject, context: RESTContext) => create(object as T, context) }),
    ...(update === undefined
      ? {}
      : {
          validateUpdate: (object: KubeObject, old: KubeObject, context: RESTContext) =>
            update(object as T, old as T, context),
        }),
  };
}
