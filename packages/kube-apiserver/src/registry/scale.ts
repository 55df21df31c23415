import { selectorFromMap, selectorFromObject } from '@kubechain/apimachinery';
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

function selectorText(object: KubeObject, form: 'object' | 'map'): string {
  const selector = (object as Scaled).spec?.selector;
  if (selector === undefined) return '';
  return (
    form === 'map' ? selectorFromMap(selector as Record<string, string>) : selectorFromObject(selector)
  ).toString();
}
