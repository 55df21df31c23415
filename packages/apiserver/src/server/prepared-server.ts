import { setTimeout as delay } from 'node:timers/promises';
import { whenAborted } from '@kubechain/apimachinery';
import { Logger } from '../logging/logger.ts';
import { DebugSocket } from './debug-socket.ts';
import { DelegateListener } from './delegation/delegate-listener.ts';
import { InsecureServing } from './serving/insecure-serving.ts';
import type { ListeningServer } from './routed-server.ts';
import { SecureServing } from './serving/secure-serving.ts';

const log = new Logger('server');

/** How long the processes in front may take to end their links: those that run take milliseconds. */
const linksEndWithinMs = 5_000;

/** Addresses of a server that listens. */
export interface ServingInfo {
  /** Port of the secure listener; undefined without one. */
  readonly securePort: number | undefined;
  /** TCP port of the delegate listener; 0 for a unix socket, undefined without one. */
  readonly delegatePort: number | undefined;
  /** Port without TLS; undefined without one. */
  readonly insecurePort: number | undefined;
}

/** How `run` is followed. */
export interface RunOptions {
  /** Called when the listeners are open, before post-start hooks run. */
  readonly onListening?: (info: ServingInfo) => void;
  /** Called when every post-start hook is done. */
  readonly onStarted?: () => void;
}

/** A server whose routes are complete: it can listen (upstream's preparedGenericAPIServer). */
export class PreparedServer {
  readonly #server: ListeningServer;
  readonly #secure: SecureServing | undefined;
  readonly #delegate: DelegateListener | undefined;
  readonly #debug: DebugSocket | undefined;
  readonly #insecure: InsecureServing | undefined;

  /** @throws OptionsError for unusable certificates */
  constructor(server: ListeningServer) {
    this.#server = server;
    const { serving, delegateListener, debugSocketPath, insecureServing, tenants } = server.config;
    const own = { request: server.handler, upgrade: server.upgrade };
    this.#debug = debugSocketPath === '' ? undefined : new DebugSocket(debugSocketPath);
    this.#insecure =
      insecureServing === undefined ? undefined : new InsecureServing(insecureServing, own, server.insecureSockets);
    this.#secure = serving === undefined ? undefined : new SecureServing(serving, tenants?.before(own) ?? own);
    server.config.control?.certificate?.follow((pem) => this.#secure?.show(pem));
    server.config.metrics.collected(
      {
        name: 'apiserver_tls_handshake_errors_total',
        type: 'counter',
        help: "[ALPHA] Number of requests dropped with 'TLS handshake error from' error",
      },
      () => [{ value: this.#secure?.handshakeErrors ?? 0, labels: {} }],
    );
    this.#delegate =
      delegateListener === undefined
        ? undefined
        : new DelegateListener(delegateListener, {
            request: server.delegatedHandler,
            upgrade: server.delegatedUpgrade,
          });
  }

  /**
   * Listens, runs post-start hooks, serves until `signal` aborts, then stops in upstream's order: readyz fails, the
   * shutdown delay passes, pre-shutdown hooks run, new requests are refused while watches are ended and requests in
   * flight finish (at most `shutdownGraceMs`), listeners close. Resolves when all is closed.
   * @throws OptionsError when an address cannot be listened on
   * @throws PostStartHookError when a hook fails; everything is closed then
   */
  async run(signal: AbortSignal, options: RunOptions = {}): Promise<void> {
    const server = this.#server;
    const hooksStop = new AbortController();
    try {
      await this.#secure?.listen();
      await this.#delegate?.listen();
      await this.#debug?.listen();
      await this.#insecure?.listen();
      options.onListening?.({
        securePort: this.#secure?.port,
        delegatePort: this.#delegate?.port,
        insecurePort: this.#insecure?.port,
      });
      const stopped = whenAborted(signal);
      const hooks = server.hooks.run({ signal: hooksStop.signal }).then(() => {
        options.onStarted?.();
      });
      await Promise.race([Promise.all([hooks, stopped]), stopped]);
      await this.#shutDown();
    } finally {
      hooksStop.abort();
      this.#secure?.destroy();
      this.#delegate?.destroy();
      this.#debug?.close();
      this.#insecure?.destroy();
      server.close();
    }
  }

  async #shutDown(): Promise<void> {
    const server = this.#server;
    const { shutdownDelayMs, shutdownGraceMs, shutdownSendRetryAfter } = server.config;
    log.info('Shutting down', { server: server.name }, 1);
    server.beginShutdown();
    if (shutdownDelayMs > 0) await delay(shutdownDelayMs);
    await server.hooks.runPreShutdown();
    const draining = server.inFlight.drain(AbortSignal.timeout(shutdownGraceMs));
    const stopAccepting = (): void => {
      this.#secure?.stopAccepting();
      this.#delegate?.stopAccepting();
      this.#insecure?.stopAccepting();
    };
    // New requests are told to try elsewhere as long as there are others to wait for.
    if (!shutdownSendRetryAfter) stopAccepting();
    const left = await draining;
    if (shutdownSendRetryAfter) stopAccepting();
    // What was on its way is refused, so that nobody has to ask what has become of it.
    await Promise.race([
      this.#delegate?.linksEnded(),
      delay(Math.min(linksEndWithinMs, shutdownGraceMs), undefined, { ref: false }),
    ]);
    if (left > 0)
      log.warning('Requests were cut when the shutdown grace period ended', { server: server.name, requests: left });
  }
}
