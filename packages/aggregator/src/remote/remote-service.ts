import { agentThrough, withOneContext, type Dial } from '@kubechain/apiserver/egress';
import type { ReleaseAge } from '@kubechain/apimachinery';
import type { Agent } from 'node:https';
import type { ConnectionOptions } from 'node:tls';
import type { APIService } from '../apiservice/api-service.ts';
import { isAvailable } from '../apiservice/conditions.ts';
import { meetFault } from '@kubechain/apiserver/proxies';
import type { FaultyAnswer, PeerFaults, ServiceResolver, TurnQueue } from '@kubechain/apiserver/proxies';
import { RemoteTLSError, remoteAgent, remoteTLS, type ProxyClientCertificate } from './remote-tls.ts';

/** What all remote services share. */
export interface RemoteEnvironment {
  readonly resolve: ServiceResolver;
  readonly clientCertificate: ProxyClientCertificate | undefined;
  /** Makes connections; default: directly. */
  readonly dial?: Dial | undefined;
  /** Whose rules hold; default: the default release. */
  readonly release?: ReleaseAge | undefined;
  /** What requests to them meet. */
  readonly faults?: PeerFaults | undefined;
  /**
   * Questions on this process's own account begin one in a turn of it, services in turns: each may need a connection,
   * and there may be thousands of servers to be asked. Default: at once.
   */
  readonly turns?: TurnQueue | undefined;
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
  readonly #turns: TurnQueue | undefined;
  /** Makes connections; undefined: directly. */
  readonly dial: Dial | undefined;
  readonly #secured: Secured | RemoteTLSError;
  /** Connections for availability checks. */
  readonly #looking: Secured | RemoteTLSError;

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
    this.#turns = environment.turns;
    this.#secured = secure(service, environment);
    // Up to 1.35 whoever answers counts as available, whatever certificate it shows.
    this.#looking =
      environment.release?.since('1.36') === false ? secure(unverified(service), environment) : this.#secured;
  }

  /** For looks whether the server is there. @throws RemoteTLSError where it cannot be asked */
  get lookingAgent(): Agent {
    return usable(this.#looking).agent;
  }

  /** Why it cannot be said whether the server is there; undefined when it can. */
  get lookingError(): RemoteTLSError | undefined {
    return errorOf(this.#looking);
  }

  /** Why nothing can be asked at all; undefined when it can. */
  get transportError(): RemoteTLSError | undefined {
    return errorOf(this.#secured);
  }

  /** @throws RemoteTLSError `transportError` */
  get agent(): Agent {
    return usable(this.#secured).agent;
  }
  /** @throws RemoteTLSError `transportError` */
  get tls(): ConnectionOptions {
    return usable(this.#secured).tls;
  }

  /** Lets a request meet the fault that is set for it: `meetFault`. */
  meetFault(signal: AbortSignal): Promise<FaultyAnswer | undefined> {
    return meetFault(this.#faults, { peer: 'apiservice', name: this.name, verb: 'call' }, signal);
  }

  /** Resolves when it is this service's turn to be asked on this process's own account. */
  async turnToAsk(): Promise<void> {
    await this.#turns?.take(this.key);
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

  /** Closes all connections; requests in flight are cut. */
  close(): void {
    for (const secured of [this.#secured, this.#looking])
      if (!(secured instanceof RemoteTLSError)) secured.agent.destroy();
  }
}

/** How connections are made. */
interface Secured {
  readonly tls: ConnectionOptions;
  readonly agent: Agent;
}

function errorOf(secured: Secured | RemoteTLSError): RemoteTLSError | undefined {
  return secured instanceof RemoteTLSError ? secured : undefined;
}

function usable(secured: Secured | RemoteTLSError): Secured {
  if (secured instanceof RemoteTLSError) throw secured;
  return secured;
}

/** Without regard to who answers. */
function unverified({ spec }: APIService): Pick<APIService, 'spec'> {
  const { caBundle: _bundle, ...rest } = spec;
  return { spec: { ...rest, insecureSkipTLSVerify: true } };
}

function secure(
  service: Pick<APIService, 'spec'>,
  { clientCertificate: client, dial }: RemoteEnvironment,
): Secured | RemoteTLSError {
  try {
    const tls = remoteTLS(service, client);
    return { tls, agent: withOneContext(agentThrough(remoteAgent(tls), dial), tls) };
  } catch (error) {
    if (error instanceof RemoteTLSError) return error;
    throw error;
  }
}
