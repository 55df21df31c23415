import { badRequest, FormatError, selectorFromMap, selectorFromObject } from '@kubechain/apimachinery';
import type { KubeObject, LabelSelectorObject } from '@kubechain/apimachinery';
import { createScaleStorage } from '@kubechain/apiserver/resources';
import type { RESTStorage, Store } from '@kubechain/apiserver/resources';

interface Scaled {
  readonly spec?: { readonly replicas?: number; readonly selector?: LabelSelectorObject | Record<string, string> };
  readonly status?: { readonly replicas?: number };
}

/**
 * Scale of built-in workloads: spec.replicas, status.replicas and spec.selector, which is a plain map in replication
 * controllers.
 */
export function replicasScale(store: Store, selector: 'object' | 'map' = 'object'): RESTStorage {
  return createScaleStorage(store, {
    readSpecReplicas: (object) => (object as Scaled).spec?.replicas ?? 0,
    writeSpecReplicas: (object, replicas) => {
      object['spec'] = { ...(object['spec'] as object | undefined), replicas };
    },
    readStatusReplicas: (object) => (object as Scaled).status?.replicas ?? 0,
    readSelector: (object) => selectorText(object, selector),
  });
}

/** A workload's selector as a Scale tells it. @throws StatusError BadRequest for one that cannot be read */
export function selectorText(object: KubeObject, form: 'object' | 'map'): string {
  const selector = (object as Scaled).spec?.selector;
  if (selector === undefined) return '';
  if (form === 'map') return selectorFromMap(selector as Record<string, string>).toString();
  try {
    return selectorFromObject(selector).toString();
  } catch (error) {
    // Only what was stored without today's rules has such a selector.
    throw error instanceof FormatError ? badRequest(error.message) : error;
  }
}
