/**
 * Loaded before a process that plays a container: what a pod's network is to it. Names of services are found as cluster
 * DNS finds them, and what listens on all addresses listens on the pod's own, so that pods on one machine do not
 * collide.
 * KUBECHAIN_POD_NETWORK holds both.
 */
import dns, { type LookupAddress } from 'node:dns';
import { Server } from 'node:net';

/** What a pod is told. */
export interface PodNetwork {
  /** Its own address. */
  readonly address: string;
  /** Addresses of services by their names. */
  readonly services: Readonly<Record<string, string>>;
}

const text = process.env['KUBECHAIN_POD_NETWORK'];
if (text !== undefined) enter(JSON.parse(text) as PodNetwork);

function enter({ address, services }: PodNetwork): void {
  const lookup = dns.lookup;
  const inCluster = (hostname: string, options: unknown, callback: unknown): void => {
    const done = (typeof options === 'function' ? options : callback) as (
      error: Error | null,
      found: string | LookupAddress[],
      family?: number,
    ) => void;
    const service = services[hostname];
    if (service !== undefined) {
      process.nextTick(() => {
        if ((options as { all?: boolean }).all === true) done(null, [{ address: service, family: 4 }]);
        else done(null, service, 4);
      });
    } else if (hostname.endsWith('.svc')) {
      process.nextTick(() => {
        done(Object.assign(new Error(`getaddrinfo ENOTFOUND ${hostname}`), { code: 'ENOTFOUND', hostname }), '');
      });
    } else {
      Reflect.apply(lookup, dns, [hostname, options, callback]);
    }
  };
  dns.lookup = inCluster as typeof dns.lookup;

  const listen = Object.getOwnPropertyDescriptor(Server.prototype, 'listen')?.value as (...args: unknown[]) => Server;
  const own = (value: unknown): unknown => (value === '0.0.0.0' ? address : value);
  Server.prototype.listen = function listenInPod(this: Server, ...args: unknown[]): Server {
    return Reflect.apply(
      listen,
      this,
      args.map((argument) =>
        typeof argument === 'object' && argument !== null && 'host' in argument
          ? { ...argument, host: own(argument.host) }
          : own(argument),
      ),
    );
  } as Server['listen'];
}
