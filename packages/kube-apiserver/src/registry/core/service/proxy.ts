import { badRequest, serviceUnavailable, messageOf } from '@kubechain/apimachinery';
import type { EndpointAddress, Endpoints, Pod, Service } from '@kubechain/apimachinery/types/core/v1';
import { Logger } from '@kubechain/apiserver/logging';
import { joinHostPort, proxyToBackend } from '@kubechain/apiserver/proxies';
import type { Backend, Reach } from '@kubechain/apiserver/proxies';
import type { RESTContext, RESTStorage, Store } from '@kubechain/apiserver/resources';
import { proxyMethods, rawQuery, unchecked } from '../../connect.ts';
import { cleanPath, splitSchemeNamePort } from '../../scheme-name-port.ts';

const log = new Logger('service-proxy');

/** Where the proxy of services finds pods. The stores of other resources are asked for while a request is served. */
export interface ServiceProxySources {
  readonly services: Pick<Store, 'get'>;
  readonly endpoints: () => Pick<Store, 'get'>;
  readonly pods: () => Pick<Store, 'get'>;
  /** How connections to pods are made. */
  readonly reach?: Reach;
  /** 0 up to 1. */
  readonly random: () => number;
}

/** services/proxy: one of the pods behind a service, chosen at random (pkg/registry/core/service/proxy.go, 1.36). */
export function serviceProxy(sources: ServiceProxySources): RESTStorage {
  return {
    kind: 'ServiceProxyOptions',
    namespaced: true,
    singularName: '',
    connectMethods: proxyMethods,
    connect: async (context, { name, path, exchange }) => {
      const backend = await serviceBackend(sources, context, name);
      await proxyToBackend(context.request, exchange, {
        ...backend,
        ...sources.reach,
        path: cleanPath(path),
        query: rawQuery(exchange.request.url),
      });
    },
  };
}

/**
 * A pod behind a service at the port that is named, by name or number of the service; only addresses that are pods'
 * own are dialled (ResourceLocation of pkg/registry/core/service/storage, 1.36).
 * @throws StatusError BadRequest, NotFound, ServiceUnavailable
 */
export async function serviceBackend(
  sources: ServiceProxySources,
  context: RESTContext,
  id: string,
): Promise<Pick<Backend, 'scheme' | 'host' | 'tls'>> {
  const parts = splitSchemeNamePort(id);
  if (parts === undefined) throw badRequest(`invalid service request ${JSON.stringify(id)}`);
  const portName = await namedPort(sources, context, parts);
  const { subsets = [] } = (await sources.endpoints().get(context, parts.name, {})).object() as Endpoints;
  if (subsets.length === 0)
    throw serviceUnavailable(`no endpoints available for service ${JSON.stringify(parts.name)}`);
  for (const { addresses = [], ports = [] } of rotated(subsets, sources.random)) {
    if (addresses.length === 0) continue;
    for (const port of ports.filter(({ name = '' }) => name === portName)) {
      for (const address of rotated(addresses, sources.random)) {
        if (!(await isPodAddress(sources, context, address))) continue;
        return {
          scheme: parts.scheme === '' ? 'http' : parts.scheme,
          host: joinHostPort(address.ip, port.port),
          tls: unchecked,
        };
      }
    }
  }
  throw serviceUnavailable(`no endpoints available for service ${JSON.stringify(id)}`);
}

/** The name of the service's port with the number that was asked for; what is no number is a name. */
async function namedPort(
  { services }: ServiceProxySources,
  context: RESTContext,
  { name, port }: { readonly name: string; readonly port: string },
): Promise<string> {
  if (!/^[+-]?\d+$/.test(port)) return port;
  const { spec } = (await services.get(context, name, {})).object() as Service;
  const found = (spec?.ports ?? []).find((each) => each.port === Number(port));
  if (found === undefined)
    throw serviceUnavailable(`no service port ${Number(port)} found for service ${JSON.stringify(name)}`);
  return found.name ?? '';
}

function rotated<T>(items: readonly T[], random: () => number): readonly T[] {
  const start = Math.floor(random() * items.length);
  return [...items.slice(start), ...items.slice(0, start)];
}

/** Endpoints may be written by users: what they point to must be a pod of the same namespace that has the address. */
async function isPodAddress(
  { pods }: ServiceProxySources,
  context: RESTContext,
  { ip, targetRef }: EndpointAddress,
): Promise<boolean> {
  if (targetRef === undefined || (targetRef.namespace ?? '') !== context.namespace) return false;
  try {
    const { status } = (await pods().get(context, targetRef.name ?? '', {})).object() as Pod;
    return (status?.podIPs ?? []).some((podIP) => podIP.ip === ip);
  } catch (error) {
    log.info('the pod behind an address cannot be read', { ip, pod: targetRef.name, err: messageOf(error) }, 2);
    return false;
  }
}
