import type { KubeObject } from '@kubechain/apimachinery';
import type { ResourceStorages } from '@kubechain/apiserver';
import type { ServiceResolver } from './webhook-client.ts';

interface ServiceSpec { readonly type?: string; readonly externalName?: string; readonly clusterIP?: string; readonly ports?: readonly { readonly name?: string; readonly port?: number }[] }
interface EndpointSubset { readonly addresses?: readonly { readonly ip?: string }[]; readonly ports?: readonly { readonly name?: string; readonly port?: number }[] }

/** A service cannot be reached; the message is for the client. */
export class ServiceResolverError extends Error {
  override readonly name = 'ServiceResolverError';
}

/**
 * Finds services through their stored endpoints, else by their cluster address (which needs a service network). Reads
 * storage for each call: webhooks are called seldom, and never with an address that is out of date.
 */
export class StoredServiceResolver implements ServiceResolver {
  readonly #storages: ResourceStorages;
  #turn = 0;

  constructor(storages: ResourceStorages) { this.#storages = storages; }

  async resolve({ name, namespace, port }: { readonly namespace: string; readonly name: string; readonly port: number }): Promise<{ readonly host: string; readonly port: number }> {
    const service = await this.#read('services', namespace, name);
    if (service === undefined) throw new ServiceResolverError(`service "${name}" not found`);
    const spec = (service['spec'] ?? {}) as ServiceSpec;
    if (spec.type === 'ExternalName') return { host: spec.externalName ?? '', port };
    const servicePort = spec.ports?.find((candidate) => candidate.port === port);
    if (servicePort === undefined) throw new ServiceResolverError(`no service port ${port} found for service "${name}"`);
    const endpoints = await this.#read('endpoints', namespace, name);
    for (const subset of (endpoints?.['subsets'] ?? []) as readonly EndpointSubset[]) {
      const target = subset.ports?.find((candidate) => (candidate.name ?? '') === (servicePort.name ?? ''));
      const address = subset.addresses?.[this.#turn++ % Math.max(subset.addresses.length, 1)];
      if (target?.port !== undefined && address?.ip !== undefined) return { host: address.ip, port: target.port };
    }
    if (spec.clusterIP === undefined || spec.clusterIP === '' || spec.clusterIP === 'None') throw new ServiceResolverError(`no endpoints available for service "${name}"`);
    return { host: spec.clusterIP, port };
  }

  async #read(resource: string, namespace: string, name: string): Promise<KubeObject | undefined> {
    const { keyRoot, storage } = this.#storages.get('', resource);
    return (await storage.get(`${keyRoot}/${namespace}/${name}`, { ignoreNotFound: true }))?.object();
  }
}
