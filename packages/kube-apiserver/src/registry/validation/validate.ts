import type { FieldError, KubeObject } from '@kubechain/apimachinery';
import type { RESTContext, Strategy } from '@kubechain/apiserver/resources';

/** A kind's rules over objects of its shape; decoding has checked that objects have it. */
export interface Rules<T> {
  readonly create?: (object: T, context: RESTContext) => readonly FieldError[];
  readonly update?: (object: T, old: T, context: RESTContext) => readonly FieldError[];
  /** Of an update, those that look at what was there before, where metadata is looked at between these and others. */
  readonly change?: (object: T, old: T, context: RESTContext) => readonly FieldError[];
}

/** The hooks of a strategy that apply `rules`. */
export function validated<T>({
  change,
  create,
  update,
}: Rules<T>): Pick<Strategy, 'validate' | 'validateChange' | 'validateUpdate'> {
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
    ...(change === undefined
      ? {}
      : {
          validateChange: (object: KubeObject, old: KubeObject, context: RESTContext) =>
            change(object as T, old as T, context),
        }),
  };
}
