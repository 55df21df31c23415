import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** What a listener hands its requests to. */
export interface RequestTargets {
  readonly request: (request: IncomingMessage, response: ServerResponse) => void;
  readonly upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
}

const prefix = '/tenants/';

/** Where a tenant is on the port of its chain: what stands before each of its paths. */
export function tenantPath(name: string): string {
  return `${prefix}${name}`;
}

/** Whether a request is for a tenant, which may be there or not. */
export function isTenantPath(url = ''): boolean {
  return url.startsWith(prefix);
}

/**
 * Lets several chains be served on one port: a request for `/tenants/NAME/…` is one for `/…` of that tenant. Whoever
 * asks for a tenant that is not there has asked the chain itself.
 */
export class TenantRouter {
  readonly #tenants = new Map<string, RequestTargets>();

  add(name: string, targets: RequestTargets): void {
    this.#tenants.set(name, targets);
  }

  remove(name: string): void {
    this.#tenants.delete(name);
  }

  /** The same targets, for requests that are no tenant's. */
  before(own: RequestTargets): RequestTargets {
    return {
      request: (request, response) => {
        (this.#tenantOf(request) ?? own).request(request, response);
      },
      upgrade: (request, socket, head) => {
        (this.#tenantOf(request) ?? own).upgrade(request, socket, head);
      },
    };
  }

  /** The tenant that a request is for, which then has the path that the tenant knows. */
  #tenantOf(request: IncomingMessage): RequestTargets | undefined {
    const { url = '' } = request;
    if (!isTenantPath(url)) return undefined;
    const end = /[/?]|$/.exec(url.slice(prefix.length))!.index + prefix.length;
    const tenant = this.#tenants.get(url.slice(prefix.length, end));
    if (tenant === undefined) return undefined;
    const rest = url.slice(end);
    request.url = rest.startsWith('/') ? rest : `/${rest}`;
    return tenant;
  }
}
