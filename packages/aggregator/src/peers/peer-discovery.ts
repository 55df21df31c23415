import { aggregatedDiscovery } from '../remote/discovery-media-types.ts';
import { Backoff, messageOf, parseJSON, sleep } from '@kubechain/apimachinery';
import type { TimerClock } from '@kubechain/apimachinery';
import { Logger } from '@kubechain/apiserver/logging';
import type { UserInfo } from '@kubechain/apiserver/resources';
import type { APIGroupDiscovery } from '@kubechain/apiserver/servers';
import { askRemote } from '../remote/ask-remote.ts';
import type { RemoteService } from '../remote/remote-service.ts';
import type { PeerMetrics } from './peer-metrics.ts';
import { noResource } from './peer-metrics.ts';

const log = new Logger('peers');

/** Who asks (user.APIServerUser). */
const asker: UserInfo = { name: 'system:apiserver', uid: 'system:apiserver', groups: ['system:authenticated'] };
const accept = `${aggregatedDiscovery};profile=nopeer,${aggregatedDiscovery},application/json`;
const timeoutMs = 10_000;

/**
 * A server tells first that it lives, and then where: asked too early, it has no address yet (peer_discovery.go, 1.36).
 */
const retries = 20;
const pauses = { firstMs: 5, longestMs: 10_000 };

/** A peer did not say what it serves. */
class PeerDiscoveryError extends Error {
  override readonly name = 'PeerDiscoveryError';
}

/** What a peer serves itself. */
export interface PeerResources {
  /** `group/version/resource`, without subresources. */
  readonly resources: ReadonlySet<string>;
  /** Under /apis, as it tells them. */
  readonly groups: readonly APIGroupDiscovery[];
}

export interface PeerDiscoveryOptions {
  /** Connections to peers, all alike, as they are now. */
  readonly peers: () => RemoteService;
  /** `host:port` of a peer; undefined while it has told none. */
  readonly addressOf: (serverID: string) => Promise<string | undefined>;
  readonly clock: TimerClock;
  readonly metrics: PeerMetrics;
  readonly onChange: () => void;
  readonly signal: AbortSignal;
}

/**
 * What the other API servers serve, asked once for each run of each of them (apiserver/pkg/util/peerproxy/
 * peer_discovery.go, 1.36).
 */
export class PeerDiscovery {
  readonly #options: PeerDiscoveryOptions;
  /** By identity; undefined while it has not answered. */
  readonly #known = new Map<string, PeerResources | undefined>();
  /** Which look at a peer is the newest, so that none of an earlier one counts. */
  readonly #turns = new Map<string, number>();

  constructor(options: PeerDiscoveryOptions) {
    this.#options = options;
  }

  /** A peer has come, or is another run of itself: asks it in the background. */
  found(serverID: string): void {
    void this.#ask(serverID, this.#nextTurn(serverID));
  }

  /** A peer has gone. */
  lost(serverID: string): void {
    this.#nextTurn(serverID);
    if (this.#known.delete(serverID)) this.#options.onChange();
  }

  /** Of peers that have answered, by identity. */
  *peers(): Generator<readonly [serverID: string, PeerResources]> {
    for (const [serverID, resources] of this.#known) if (resources !== undefined) yield [serverID, resources];
  }

  #nextTurn(serverID: string): number {
    const turn = (this.#turns.get(serverID) ?? 0) + 1;
    this.#turns.set(serverID, turn);
    return turn;
  }

  async #ask(serverID: string, turn: number): Promise<void> {
    const { clock, onChange, signal } = this.#options;
    const pause = new Backoff(pauses);
    const isOver = (): boolean => signal.aborted || this.#turns.get(serverID) !== turn;
    for (let attempt = 0; attempt <= retries; attempt++) {
      try {
        const answer = await this.#fetch(serverID);
        if (isOver()) return;
        this.#known.set(serverID, answer);
        onChange();
        return;
      } catch (error) {
        if (isOver()) return;
        log.info('a peer does not say what it serves', { serverID, attempt, err: messageOf(error) }, 2);
        await sleep(clock, pause.next(), signal);
      }
      if (isOver()) return;
    }
    log.warning('giving up on what a peer serves', { serverID });
  }

  async #fetch(serverID: string): Promise<PeerResources> {
    const { addressOf, metrics } = this.#options;
    const address = await addressOf(serverID);
    if (address === undefined) {
      metrics.discoveryFailed('hostport_resolution');
      throw new PeerDiscoveryError(`server ${serverID} has told no address`);
    }
    try {
      const core = await this.#document(address, '/api');
      const groups = await this.#document(address, '/apis');
      return { resources: new Set([...core, ...groups].flatMap(resourcesOf)), groups };
    } catch (error) {
      metrics.discoveryFailed('fetch_discovery');
      throw error;
    }
  }

  async #document(address: string, path: string): Promise<readonly APIGroupDiscovery[]> {
    const { metrics, peers, signal } = this.#options;
    const headers = { accept, [proxiedHeader]: 'true' };
    const { body, status } = await askRemote(peers(), { address, path, user: asker, headers, timeoutMs, signal });
    metrics.rerouted(status, noResource);
    if (status !== 200) throw new PeerDiscoveryError(`discovery request failed with status: ${status}`);
    const { items } = parseJSON(body) as { readonly items?: readonly APIGroupDiscovery[] };
    return items ?? [];
  }
}

/** Marks what one API server has handed to another, which hands it to nobody else. */
export const proxiedHeader = 'x-kubernetes-peer-proxied';

function resourcesOf({ metadata, versions }: APIGroupDiscovery): string[] {
  return versions.flatMap(({ resources = [], version }: Partial<APIGroupDiscovery['versions'][number]>) =>
    resources.map(({ resource }) => `${metadata.name ?? ''}/${version ?? ''}/${resource}`),
  );
}
