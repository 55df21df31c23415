import { forbidden } from '@kubechain/apimachinery';
import { overriding } from '@kubechain/apiserver';
import type { RESTStorage, Store } from '@kubechain/apiserver';
import type { StorageProvider } from '../../storage-provider.ts';
import { priorityClassStrategy } from './strategy.ts';

/** Serves priorityclasses. */
export const priorityClassStorage: StorageProvider = (context) => {
  const store = context.store({
    group: 'scheduling.k8s.io',
    plural: 'priorityclasses',
    strategy: priorityClassStrategy,
  });
  return [['priorityclasses', keepingSystemClasses(store)]];
};

const systemClasses: ReadonlySet<string> = new Set(['system-node-critical', 'system-cluster-critical']);

/** The server's own classes stay (pkg/registry/scheduling/priorityclass/storage Delete, 1.36). */
function keepingSystemClasses(store: Store): RESTStorage {
  return overriding(store, {
    delete(context, name, validate, options) {
      if (systemClasses.has(name))
        throw forbidden(
          { group: store.spec.group, resource: store.spec.plural },
          name,
          'this is a system priority class and cannot be deleted',
        );
      return store.delete(context, name, validate, options);
    },
  });
}
