import type { KubeObject } from '@kubechain/apimachinery';
import type { CreateOptions, RESTContext, RESTStorage } from '@kubechain/apiserver/resources';

/** What serves a kind that is answered and not kept. */
export interface CreateOnlySpec {
  readonly kind: string;
  readonly singularName?: string;
  readonly namespaced: boolean;
  readonly groupVersionKind?: NonNullable<RESTStorage['groupVersionKind']>;
  /** Checks that come before admission; throws StatusError. */
  check?(
    object: KubeObject,
    name: string,
    context: RESTContext & { readonly options: CreateOptions },
  ): void | Promise<void>;
  /** The answer. The object is private to the request. */
  answer(
    object: KubeObject,
    name: string,
    context: RESTContext & { readonly options: CreateOptions },
  ): KubeObject | Promise<KubeObject>;
}

/** A resource with `create` alone: reviews, bindings, evictions, token requests. */
export function createOnly(spec: CreateOnlySpec): RESTStorage {
  return {
    kind: spec.kind,
    namespaced: spec.namespaced,
    singularName: spec.singularName ?? '',
    ...(spec.groupVersionKind === undefined ? {} : { groupVersionKind: spec.groupVersionKind }),
    async create(context, name, object, options) {
      const withOptions = { ...context, options };
      await spec.check?.(object, name, withOptions);
      await options.validate(object);
      return spec.answer(object, name, withOptions);
    },
  };
}
