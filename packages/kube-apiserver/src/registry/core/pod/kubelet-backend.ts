import { badRequest } from '@kubechain/apimachinery';
import type { Node, Pod } from '@kubechain/apimachinery/types/core/v1';
import { encodeQuery, joinHostPort } from '@kubechain/apiserver/proxies';
import type { Backend } from '@kubechain/apiserver/proxies';
import type { RESTContext, Store } from '@kubechain/apiserver/resources';
import type { KubeletClient, KubeletConnection } from '../../../kubelet/kubelet-client.ts';

/** What the streams of pods need to find a kubelet. */
export interface PodStreamSources {
  readonly pods: Store;
  /** Asked for while a request is served, when all stores are made. */
  readonly nodes: () => Store;
  readonly kubelets: KubeletClient;
}

/** A path and query of a kubelet. */
export interface KubeletTarget {
  readonly path: string;
  readonly query: readonly (readonly [name: string, value: string])[];
}

export async function readPod(pods: Store, context: RESTContext, name: string): Promise<Pod> {
  return (await pods.get(context, name, {})).object() as Pod;
}

/**
 * How the kubelet of a node is reached. A node that does not exist is not found under the name of the requested
 * resource, as in the reference.
 */
export async function kubeletOf(
  { nodes, kubelets }: Pick<PodStreamSources, 'nodes' | 'kubelets'>,
  context: RESTContext,
  nodeName: string,
): Promise<KubeletConnection> {
  return kubelets.connection((await nodes().get(context, nodeName, {})).object() as Node);
}

export function kubeletBackend(
  { hostname, port, reach, tls }: KubeletConnection,
  { path, query }: KubeletTarget,
): Backend {
  return { scheme: 'https', host: joinHostPort(hostname, port), tls, ...reach, path, query: encodeQuery(query) };
}

/** The node that a pod is on. @throws StatusError BadRequest while it is on none */
export function nodeOf(pod: Pod): string {
  const nodeName = pod.spec?.nodeName ?? '';
  if (nodeName === '') throw badRequest(`pod ${pod.metadata?.name ?? ''} does not have a host assigned`);
  return nodeName;
}
