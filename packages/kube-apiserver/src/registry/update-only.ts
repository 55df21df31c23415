import type { RESTStorage } from '@kubechain/apiserver/resources';

/** A subresource with `update` alone (`namespaces/finalize`): neither read nor patched. */
export function updateOnly(storage: RESTStorage): RESTStorage {
  return {
    kind: storage.kind,
    namespaced: storage.namespaced,
    singularName: storage.singularName,
    patchable: false,
    ...(storage.memoryVersion === undefined ? {} : { memoryVersion: storage.memoryVersion }),
    ...(storage.resetFields === undefined ? {} : { resetFields: storage.resetFields }),
    update: (context, name, info, options) => {
      if (storage.update === undefined) throw new TypeError(`${storage.kind} has no update`);
      return storage.update(context, name, info, options);
    },
  };
}
