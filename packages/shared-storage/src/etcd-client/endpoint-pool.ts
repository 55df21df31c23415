import { setTimeout as delay } from 'node:timers/promises';
import type { CallOptions as GrpcCallOptions } from '@grpc/grpc-js';
import { Backoff } from '@kubechain/apimachinery';
import { EtcdError, isEtcdError } from './etcd-error.ts';
import type { StoreEndpoint } from './store-endpoint.ts';
import { rpcMethods } from './rpc-methods.ts';

/** What travels through etcd3's service clients as call options. */
export interface PoolCallOptions extends GrpcCallOptions {
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal | undefined;
}

export interface EndpointPoolOptions {
  readonly requestTimeoutMs: number;
  /** How long a call that could not be sent anywhere is tried again before it fails. */
  readonly unreachableRetryMs: number;
  /** Told why a call is made again, in upstream's words. */
  readonly onRetry?: ((label: string) => void) | undefined;
}

/**
 * Ends of etcd's messages by what they mean; upstream's names (etcd3retry). Those in `harmless` tell that a write was
 * not done.
 */
const labels: readonly (readonly [end: string, label: string, harmless: boolean])[] = [
  ['etcdserver: leader changed', 'LeaderChanged', true],
  ['etcdserver: no leader', 'NoLeader', true],
  ['raft proposal dropped', 'ProposalDropped', true],
  ['etcdserver: request timed out', 'Timeout', false],
  ['etcdserver: request timed out, possibly due to previous leader failure', 'Timeout', false],
  ['etcdserver: request timed out, possible due to connection lost', 'Timeout', false],
  ['etcdserver: request timed out, waiting for the applied index took too long', 'Timeout', false],
  ['etcdserver: server stopped', 'Stopped', false],
];

const retryPauses = { firstMs: 25, longestMs: 400 };

/** Go's client of etcd sends no larger messages (defaultMaxCallSendMsgSize), and etcd reads none. */
const largestMessage = 2 * 1024 * 1024;
/** What frames have before their message. */
const frameHeaderBytes = 5;

/**
 * Sends calls to the endpoint that worked last and moves on when it fails.
 *
 * A call is repeated when it certainly did not reach a server, or when it only reads. `exec` has the shape that the
 * service clients of npm `etcd3` call (KVClient, LeaseClient, MaintenanceClient).
 */
export class EndpointPool {
  readonly #endpoints: readonly StoreEndpoint[];
  readonly #options: EndpointPoolOptions;
  #current = 0;

  constructor(endpoints: readonly StoreEndpoint[], options: EndpointPoolOptions) {
    if (endpoints.length === 0) throw new EtcdError('InvalidArgument', 'at least one etcd endpoint is needed');
    this.#endpoints = endpoints;
    this.#options = options;
  }

  /** The endpoint to use now. */
  get current(): StoreEndpoint {
    const endpoint = this.#endpoints[this.#current % this.#endpoints.length];
    if (endpoint === undefined) throw new EtcdError('InvalidArgument', 'at least one etcd endpoint is needed');
    return endpoint;
  }

  /** Moves on to the next endpoint, unless somebody else already has. */
  failed(endpoint: StoreEndpoint): void {
    if (this.current === endpoint) this.#current = (this.#current + 1) % this.#endpoints.length;
  }

  /** @throws EtcdError */
  async exec(service: string, method: string, payload: unknown, options?: PoolCallOptions): Promise<unknown> {
    const rpc = rpcMethods.get(`${service}/${method}`);
    if (rpc === undefined)
      throw new EtcdError('InvalidArgument', `etcd method ${service}/${method} is not supported by this client`);
    const frame = rpc.encode(payload);
    refuseLarge(frame);
    const timeoutMs = options?.timeoutMs ?? this.#options.requestTimeoutMs;
    const started = Date.now();
    const retries = new Backoff(retryPauses);
    let failingSince: number | undefined;
    for (let attempt = 1; ; attempt++) {
      const endpoint = this.current;
      try {
        const remainingMs = Math.max(1, timeoutMs - (Date.now() - started));
        return rpc.decode(
          await endpoint.unary(rpc.path, frame, {
            timeoutMs: remainingMs,
            signal: options?.signal,
            longAnswer: rpc.longAnswer(payload),
          }),
        );
      } catch (error) {
        if (!isEtcdError(error, 'Unavailable')) throw error;
        this.failed(endpoint);
        const now = Date.now();
        failingSince ??= now;
        const [, label = 'Unavailable', harmless = false] = labels.find(([end]) => error.message.endsWith(end)) ?? [];
        const repeatable = error.notSent || rpc.readOnly || harmless;
        const triedAll = attempt >= this.#endpoints.length;
        if (
          !repeatable ||
          now - started >= timeoutMs ||
          (triedAll && now - failingSince >= this.#options.unreachableRetryMs) ||
          options?.signal?.aborted === true
        )
          throw error;
        this.#options.onRetry?.(label);
        if (triedAll) {
          await delay(Math.min(retries.next(), this.#options.unreachableRetryMs));
        }
      }
    }
  }

  close(): void {
    for (const endpoint of this.#endpoints) endpoint.close();
  }
}

/** @throws EtcdError `RequestTooLarge`, in the words of Go's client */
function refuseLarge(frame: Buffer): void {
  const bytes = frame.length - frameHeaderBytes;
  if (bytes > largestMessage)
    throw new EtcdError(
      'RequestTooLarge',
      'rpc error: code = ResourceExhausted desc = trying to send message larger than max ' +
        `(${bytes} vs. ${largestMessage})`,
      { notSent: true },
    );
}
