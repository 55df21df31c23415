import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import {
  ExchangeEnd,
  ProxyError,
  checkUpgradeStatus,
  getRequestContext,
  openBackendUpgrade,
  outgoingURL,
  refuseFilteredUpgrade,
  spliceBackend,
  TurnQueue,
} from '@kubechain/apiserver/proxies';
import { Turns } from '@kubechain/apiserver/resources';
import { outgoingHeaders } from './outgoing-headers.ts';
import type { RemoteService } from './remote-service.ts';
import type { RemoteTerminations } from './remote-terminations.ts';

/** A server that accepts a connection and never answers the upgrade must not hold it for ever. */
const answerTimeoutMs = 30_000;

/** An upgrade (SPDY, WebSocket) that the filters let through. */
export interface Upgrade {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
}

/**
 * Takes an upgrade to an extension API server over a connection of its own; once the server has switched protocols,
 * bytes go through untouched both ways. http-proxy-middleware upgrades WebSockets only, and kubectl speaks SPDY too.
 */
export class RemoteUpgrades {
  readonly #ending = new AbortController();
  /** Each has a connection of its own: they begin one in a turn of the loop. */
  readonly #starts = new TurnQueue({ sums: true });
  readonly #terminations: RemoteTerminations | undefined;

  /** @param terminations where their ends are told; default: nowhere */
  constructor(terminations?: RemoteTerminations) {
    this.#terminations = terminations;
  }

  /** Answers the upgrade whatever happens. */
  start(upgrade: Upgrade, target: { readonly remote: RemoteService; readonly address: string }): void {
    this.#open(upgrade, target).catch((error: unknown) => {
      refuseFilteredUpgrade(upgrade.request, upgrade.socket, {
        code: 503,
        text: error instanceof ProxyError ? error.message : String(error),
      });
    });
  }

  async #open(
    { request, socket, head }: Upgrade,
    { remote, address }: { readonly remote: RemoteService; readonly address: string },
  ): Promise<void> {
    const context = getRequestContext(request);
    const { user, auditID, signal } = context;
    await new Turns({ queue: this.#starts, owner: context }).take();
    const answer = await openBackendUpgrade({
      backend: { scheme: 'https', host: address, tls: remote.tls, dial: remote.dial },
      method: request.method ?? 'GET',
      target: outgoingURL(request.url ?? '/'),
      head,
      answerTimeoutMs,
      headers: outgoingHeaders({ request, address, user, auditID, upgrade: true }),
      signal: AbortSignal.any([signal, this.#ending.signal]),
      end: new ExchangeEnd(context, this.#terminations?.upgrades(remote)),
    });
    checkUpgradeStatus(answer);
    spliceBackend(answer, socket);
  }

  /** Cuts all upgrades. */
  close(): void {
    this.#ending.abort();
  }
}
