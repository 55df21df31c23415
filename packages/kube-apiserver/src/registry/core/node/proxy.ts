import { lookup } from 'node:dns/promises';
import { badRequest } from '@kubechain/apimachinery';
import { joinHostPort, proxyToBackend } from '@kubechain/apiserver/proxies';
import type { Backend } from '@kubechain/apiserver/proxies';
import type { RESTContext, RESTStorage } from '@kubechain/apiserver/resources';
import { proxyMethods, rawQuery, unchecked } from '../../connect.ts';
import { cleanPath, splitSchemeNamePort } from '../../scheme-name-port.ts';
import { isGlobalUnicast } from '../global-unicast.ts';
import { kubeletOf, type PodStreamSources } from '../pod/kubelet-backend.ts';

/**
 * nodes/proxy: the kubelet of a node, or another HTTP server of its host (pkg/registry/core/node/rest/proxy.go, 1.36).
 */
export function nodeProxy(sources: Pick<PodStreamSources, 'nodes' | 'kubelets'>): RESTStorage {
  return {
    kind: 'NodeProxyOptions',
    namespaced: false,
    singularName: '',
    connectMethods: proxyMethods,
    connect: async (context, { name, path, exchange }) => {
      const backend = await nodeBackend(sources, context, name);
      await proxyToBackend(context.request, exchange, {
        ...backend,
        path: cleanPath(path),
        query: rawQuery(exchange.request.url),
      });
    },
  };
}

/** The kubelet, or another port of the node, which gets nothing of what this server shows to kubelets. */
async function nodeBackend(
  sources: Pick<PodStreamSources, 'nodes' | 'kubelets'>,
  context: RESTContext,
  id: string,
): Promise<Pick<Backend, 'scheme' | 'host' | 'tls' | 'dial' | 'bytesPerSecond'>> {
  const parts = splitSchemeNamePort(id);
  if (parts === undefined) throw badRequest(`invalid node request ${JSON.stringify(id)}`);
  const kubelet = await kubeletOf(sources, context, parts.name);
  await checkProxyable(kubelet.hostname);
  if (parts.port === '' || parts.port === kubelet.port)
    return {
      scheme: 'https',
      host: joinHostPort(kubelet.hostname, kubelet.port),
      tls: kubelet.tls,
      ...kubelet.reach,
    };
  return {
    scheme: parts.scheme === '' ? 'http' : parts.scheme,
    host: joinHostPort(kubelet.hostname, parts.port),
    tls: unchecked,
    ...kubelet.reach,
  };
}

/** @throws StatusError BadRequest when a host has no address, or one that nobody should be led to */
async function checkProxyable(hostname: string): Promise<void> {
  let addresses: readonly { readonly address: string }[];
  try {
    addresses = await lookup(hostname, { all: true });
  } catch {
    throw badRequest(`lookup ${hostname}: no such host`);
  }
  if (!addresses.every(({ address }) => isGlobalUnicast(address))) throw badRequest('address not allowed');
}
