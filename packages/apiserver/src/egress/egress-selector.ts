import { readFileSync } from 'node:fs';
import { isIP, type Socket } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import { aggregateMessage, messageOf } from '@kubechain/apimachinery';
import type { MetricRegistry } from '@kubechain/shared-storage/metrics';
import { traced } from '@kubechain/shared-storage/tracing';
import { trustBundle } from '../certificates/trust-bundle.ts';
import { unusableFlag } from '../options/options-error.ts';
import { joinHostPort } from '../services/join-host-port.ts';
import type { Dial } from './dial.ts';
import { DialMetrics, type ProxyWay } from './dial-metrics.ts';
import { decodeEgressConfiguration, type WrittenConnection, type WrittenTLS } from './egress-configuration.ts';
import { EgressError } from './egress-error.ts';
import { dialKonnectivity } from './grpc-tunnel.ts';
import { connectThrough, type ConnectProxy } from './http-connect.ts';
import { TunnelSocket } from './tunnel-socket.ts';
import { validateEgress, type EgressType } from './validate-egress.ts';
import { nodeTLS } from '../certificates/node-tls.ts';

const flag = 'egress-selector-config-file';

/** How connections of a kind are made: the way to a proxy, or directly. */
export type Egress = { readonly kind: 'direct' } | { readonly kind: 'proxy'; readonly dial: Dial };

/**
 * Which connections go through which proxies: `cluster` those to nodes, pods and services, `etcd` those to etcd,
 * `controlplane` the others (apiserver/pkg/server/egressselector, 1.36). What is not selected goes directly.
 */
export class EgressSelector {
  readonly #selected: ReadonlyMap<string, Egress>;

  constructor(selected: ReadonlyMap<string, Egress> = new Map()) {
    this.#selected = selected;
  }

  /**
   * As the file of --egress-selector-config-file says; undefined without one, or where it selects nothing. Credentials
   * are read once.
   * @param registry where dials are counted
   * @throws OptionsError in the words of kube-apiserver
   */
  static fromFile(path: string, registry: MetricRegistry): EgressSelector | undefined {
    if (path === '') return undefined;
    const selections = told('failed to read egress selector config', () => decodeEgressConfiguration(read(path)));
    const errors = validateEgress(selections);
    if (errors.length > 0)
      throw unusableFlag(flag, `failed to validate egress selector configuration: ${aggregateMessage(errors)}`);
    if (selections.length === 0) return undefined;
    const metrics = new DialMetrics(registry);
    return new EgressSelector(
      new Map(
        selections.map(({ connection = {}, name = '' }) => {
          const type = name.toLowerCase();
          const failed = `failed to setup egress selector: failed to create dialer for egressSelection "${type}"`;
          return [type, told(failed, () => egressOf(connection, metrics))];
        }),
      ),
    );
  }

  /** What was selected for a kind of connections; undefined: nothing. */
  selected(type: EgressType): Egress | undefined {
    return this.#selected.get(type);
  }

  /** The way to a proxy; undefined: none. */
  dial(type: EgressType): Dial | undefined {
    const egress = this.#selected.get(type);
    return egress?.kind === 'proxy' ? egress.dial : undefined;
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reason = code === 'ENOENT' ? 'no such file or directory' : messageOf(error);
    throw new EgressError(`unable to read egress selector configuration from "${path}" [open ${path}: ${reason}]`);
  }
}

function told<T>(prefix: string, make: () => T): T {
  try {
    return make();
  } catch (error) {
    throw error instanceof EgressError ? unusableFlag(flag, `${prefix}: ${error.message}`, error) : error;
  }
}

function egressOf({ proxyProtocol, transport: { tcp, uds } = {} }: WrittenConnection, metrics: DialMetrics): Egress {
  if (proxyProtocol === 'Direct') return { kind: 'direct' };
  const socket = uds?.udsName ?? '';
  if (proxyProtocol === 'GRPC')
    return through({ protocol: 'grpc', transport: 'uds' }, metrics, (address, signal) =>
      dialKonnectivity(socket, address, signal),
    );
  const proxy: ConnectProxy = uds === undefined ? proxyAt(tcp ?? {}) : { name: socket, at: { path: socket } };
  const way = { protocol: 'http_connect', transport: uds === undefined ? 'tcp' : 'uds' } as const;
  return through(way, metrics, (address, signal) => connectThrough(proxy, address, signal));
}

function through(
  way: ProxyWay,
  metrics: DialMetrics,
  open: (address: string, signal: AbortSignal) => ReturnType<typeof dialKonnectivity>,
): Egress {
  const step = `Proxy via ${way.protocol} protocol over ${way.transport}`;
  const dial: Dial = (host, port) => {
    const address = joinHostPort(host, port);
    const opened = (signal: AbortSignal): ReturnType<typeof dialKonnectivity> =>
      traced(
        step,
        () => ({ address }),
        () => metrics.counted(way, () => open(address, signal)),
      );
    // What a socket has besides is of the operating system, and nobody asks a connection through a proxy for it.
    return new TunnelSocket(opened) as unknown as Socket;
  };
  return { kind: 'proxy', dial };
}

/** @throws EgressError where the certificate that the proxy is shown cannot be used */
function proxyAt({ tlsConfig, url = '' }: { readonly url?: string; readonly tlsConfig?: WrittenTLS }): ConnectProxy {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined) throw new EgressError(`invalid proxy server url ${JSON.stringify(url)}`);
  const host = parsed.hostname.replace(/^\[|\]$/g, '');
  const port = parsed.port === '' ? (tlsConfig === undefined ? 80 : 443) : Number(parsed.port);
  const to = { name: joinHostPort(host, port), at: { host, port } };
  return tlsConfig === undefined ? to : { ...to, tls: tlsOf(tlsConfig, host) };
}

function tlsOf(
  { caBundle = '', clientCert = '', clientKey = '', tlsServerName = '' }: WrittenTLS,
  host: string,
): ConnectionOptions {
  const pair = { cert: content(clientCert, 'cert'), key: content(clientKey, 'key') };
  try {
    nodeTLS().createSecureContext(pair);
  } catch (error) {
    throw new EgressError(`failed to read key pair ${clientCert} & ${clientKey}, got ${messageOf(error)}`, {
      cause: error,
    });
  }
  const servername = tlsServerName === '' ? host : tlsServerName;
  return {
    ...pair,
    ...trustBundle(caBundle === '' ? undefined : content(caBundle, 'cert')),
    servername: isIP(servername) === 0 ? servername : '',
  };
}

function content(file: string, kind: 'cert' | 'key'): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new EgressError(`failed to read ${kind} file ${file}, got ${messageOf(error)}`, { cause: error });
  }
}
