import { serviceUnavailable } from '@kubechain/apimachinery';
import type { RESTContext, RESTStorage } from '@kubechain/apiserver';

/** What a stream into a pod, node or service has to find out before it can be opened. */
export interface ConnectSpec {
  readonly kind: string;
  readonly namespaced: boolean;
  readonly methods: readonly string[];
  /** Looks the object up and refuses what cannot be connected to; resolves to the name of what would be dialled. */
  target(context: RESTContext, name: string): Promise<string>;
}

/**
 * A streaming subresource (exec, attach, port-forward, proxy, log). Checks what the reference checks and then says
 * that it cannot dial: connections to kubelets and through services are not built yet.
 */
export function connectSubresource(spec: ConnectSpec): RESTStorage {
  return {
    kind: spec.kind, namespaced: spec.namespaced, singularName: '', connectMethods: spec.methods,
    connect: async (context, name) => {
      const target = await spec.target(context, name);
      throw serviceUnavailable(`connections to ${target} are not supported by this server yet`);
    },
  };
}

/** Methods of the proxy endpoints. */
export const proxyMethods = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'] as const;
/** Methods of the endpoints that are upgraded to streams. */
export const streamMethods = ['GET', 'POST'] as const;
