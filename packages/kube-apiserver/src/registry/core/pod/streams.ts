import { badRequest } from '@kubechain/apimachinery';
import type { RESTContext, RESTStorage, Store } from '@kubechain/apiserver';
import { connectSubresource, proxyMethods, streamMethods } from '../../connect.ts';
import type { ResourceEntry } from '../../storage-provider.ts';
import type { PodView } from './strategy.ts';

/** pods/attach, exec, log, portforward and proxy: they need a pod on a node. */
export function podStreams(store: Store): readonly ResourceEntry[] {
  const onNode = async (context: RESTContext, name: string): Promise<string> => {
    const pod = (await store.get(context, name, {})).object() as PodView;
    const node = pod.spec?.nodeName ?? '';
    if (node === '') throw badRequest(`pod ${name} does not have a host assigned`);
    return `the kubelet of node ${node}`;
  };
  const stream = (kind: string): RESTStorage => connectSubresource({ kind, namespaced: true, methods: streamMethods, target: onNode });
  return [
    ['pods/attach', stream('PodAttachOptions')],
    ['pods/exec', stream('PodExecOptions')],
    ['pods/log', podLog(store, onNode)],
    ['pods/portforward', stream('PodPortForwardOptions')],
    ['pods/proxy', connectSubresource({ kind: 'PodProxyOptions', namespaced: true, methods: proxyMethods, target: onNode })],
  ];
}

/** Logs are read with GET alone, and a pod that is on no node yet has none. */
function podLog(store: Store, onNode: (context: RESTContext, name: string) => Promise<string>): RESTStorage {
  const storage = connectSubresource({
    kind: 'Pod', namespaced: true, methods: ['GET'],
    target: async (context, name) => {
      const pod = (await store.get(context, name, {})).object() as PodView;
      return (pod.spec?.nodeName ?? '') === '' ? '' : onNode(context, name);
    },
  });
  return {
    ...storage,
    connect: async (context, name, path, exchange) => {
      const pod = (await store.get(context, name, {})).object() as PodView;
      if ((pod.spec?.nodeName ?? '') !== '' || !('response' in exchange)) return storage.connect?.(context, name, path, exchange);
      exchange.response.writeHead(200, { 'content-type': 'text/plain', 'content-length': '0' });
      exchange.response.end();
    },
  };
}
