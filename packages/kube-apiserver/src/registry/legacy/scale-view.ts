import type { RESTStorage } from '@kubechain/apiserver/resources';

/** The Scale of a resource in the form that a removed version had of its own; records are those of autoscaling/v1. */
export function scaleView(scale: RESTStorage): RESTStorage {
  return {
    kind: scale.kind,
    namespaced: scale.namespaced,
    singularName: scale.singularName,
    memoryVersion: { group: 'autoscaling', version: 'v1' },
    ...(scale.table === undefined ? {} : { table: scale.table }),
    get: (context, name, options) => scale.get!(context, name, options),
    update: (context, name, info, options) => scale.update!(context, name, info, options),
  };
}
