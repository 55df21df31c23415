import { agentThrough, type Dial } from '@kubechain/apiserver/egress';
import type { Agent } from 'node:https';
import type { ConnectionOptions } from 'node:tls';
import type { APIService } from '../apiservice/api-service.ts';
import { isAvailable } from '../apiservice/conditions.ts';
import { meetFault, type FaultyAnswer, type PeerFaults, type ServiceResolver } from '@kubechain/apiserver/proxies';
import { RemoteTLSError, remoteAgent, remoteTLS, type ProxyClientCertificate } from './remote-tls.ts';

/** What all remote services share. */
export interface RemoteEnvironment {
  readonly resolve: ServiceResolver;
  readonly clientCertificate: ProxyClientCertificate | undefined;
  /** Makes connections; default: directly. */
  readonly dial?: Dial | undefined;
  /** What requests to them meet. */
  readonly faults?: PeerFaults | undefined;
}

/** The server behind one APIService, as its spec was when this was made; replaced when the spec changes. */
export class RemoteService {
  readonly name: string;
  readonly group: string;
  readonly version: string;
  /** `namespace/name:port`: APIServices with the same one share discovery. */
  readonly key: string;
  /** The spec that it was made of, for comparison. */
  readonly spec: APIService['spec'];
  /** As the APIService's status says: while false, requests are refused without being tried. */
  available: boolean;
  readonly #resolve: ServiceResolver;
  readonly #faults: PeerFaults | undefined;
  /** Makes connections; undefined: directly. */
  readonly dial: Dial | undefined;
  readonly #secured: { readonly tls: ConnectionOptions; readonly agent: Agent } | RemoteTLSError;

  constructor(service: APIService, environment: RemoteEnvironment) {
    const { metadata, spec } = service;
    this.name = metadata.name ?? '';
    this.group = spec.group ?? '';
    this.version = spec.version ?? '';
    this.spec = spec;
    this.key = `${spec.service?.namespace ?? ''}/${spec.service?.name ?? ''}:${spec.service?.port ?? 443}`;
    this.available = isAvailable(service);
    this.#resolve = environment.resolve;
    this.dial = environment.dial;
    this.#faults = environment.faults;
    this.#secured = secure(service, environment);
  }

  /** Why nothing can be asked at all; undefined when it can. */
  get transportError(): RemoteTLSError | undefined {
    return this.#secured instanceof RemoteTLSError ? this.#secured : undefined;
  }

  /** @throws RemoteTLSError `transportError` */
  get agent(): Agent {
    return this.#usable().agent;
  }
  /** @throws RemoteTLSError `transportError` */
  get tls(): ConnectionOptions {
    return this.#usable().tls;
  }

  /** Lets a request meet the fault that is set for it: `meetFault`. */
  meetFault(signal: AbortSignal): Promise<FaultyAnswer | undefined> {
    return meetFault(this.#faults, { peer: 'apiservice', name: this.name, verb: 'call' }, signal);
  }

  /** Path of the group version's own document. */
  get discoveryPath(): string {
    return this.name === 'v1.' ? `/api/${this.version}` : `/apis/${this.group}/${this.version}`;
  }

  /** `host:port` of the server now. @throws ServiceResolutionError */
  address(): string {
    const { namespace = '', name = '', port = 443 } = this.spec.service ?? {};
    return this.#resolve({ namespace, name, port });
  }

  /** Lets go of connections; requests in flight are cut. */
  close(): void {
    if (!(this.#secured instanceof RemoteTLSError)) this.#secured.agent.destroy();
  }

  #usable(): { readonly tls: ConnectionOptions; readonly agent: Agent } {
    if (this.#secured instanceof RemoteTLSError) throw this.#secured;
    return this.#secured;
  }
}

function secure(
  service: APIService,
  { clientCertificate: client, dial }: RemoteEnvironment,
): { readonly tls: ConnectionOptions; readonly agent: Agent } | RemoteTLSError {
  try {
    const tls = remoteTLS(service, client);
    return { tls, agent: agentThrough(remoteAgent(tls), dial) };
  } catch (error) {
    if (error instanceof RemoteTLSError) return error;
    throw error;
  }
}
