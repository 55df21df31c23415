import { OwnWrites, internalContext } from '@kubechain/apiserver/resources';
import type { Store } from '@kubechain/apiserver/resources';

/** Makes namespaces with the rights of the server itself. Rejects with a StatusError, also where there is one. */
export function namespaceCreator(store: Store): (name: string, signal: AbortSignal) => Promise<void> {
  const own = new OwnWrites(store, { scheme: store.spec.scheme, clock: store.environment.clock });
  return async (name, signal) => {
    const context = internalContext({ groupResource: { group: '', resource: 'namespaces' }, namespace: '', signal });
    await own.create(context, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  };
}
