import { parseJSON } from '@kubechain/apimachinery';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Logger } from '@kubechain/apiserver/logging';
import { ServiceResolutionError, writeTextError } from '@kubechain/apiserver/proxies';
import { StoredDocument, convertV2, filterV2, goJSON, serveDocumentV3 } from '@kubechain/apiserver/servers';
import type { DocumentV2, OpenAPIIndex, OpenAPISource } from '@kubechain/apiserver/servers';
import type { Timer, TimerClock } from '@kubechain/apimachinery';
import { messageOf } from '@kubechain/apimachinery';
import { askRemote } from '../remote/ask-remote.ts';
import { RemoteProxy } from '../remote/remote-proxy.ts';
import type { RemoteService } from '../remote/remote-service.ts';

const log = new Logger('openapi');

const timeoutMs = 60_000;
/** Documents are asked for again this often, and this soon after a failure. */
const refreshMs = 60_000;
const retryMs = 10_000;

/** Who asks for OpenAPI documents in the reference: a user of its own, without groups. */
const openAPIUser = { name: 'system:aggregator', groups: [] };

/** What is known of one extension API server's documents. */
interface Entry {
  readonly remote: RemoteService;
  /** What it was when it was last asked. */
  available: boolean;
  /** Its own index; undefined for servers that only speak version 2. */
  index: OpenAPIIndex | undefined;
  v2: { readonly etag: string; readonly document: DocumentV2 } | undefined;
  /** Version 2, converted. */
  converted: StoredDocument | undefined;
  timer: Timer | undefined;
  /** Grows with each look, so that an old answer does not overwrite a newer one. */
  turn: number;
}

/**
 * OpenAPI documents of extension API servers, fetched in the background and kept: a server that is gone leaves its
 * last ones, and no request waits for one, but for a version 3 document itself, which is the server's own answer
 * (kube-aggregator's openapi and openapiv3 controllers, 1.36).
 */
export class RemoteOpenAPI implements OpenAPISource {
  readonly #routes: ReadonlyMap<string, RemoteService>;
  readonly #clock: TimerClock;
  readonly #entries = new Map<string, Entry>();
  readonly #proxy = new RemoteProxy();
  readonly #stop = new AbortController();
  #generation = 0;

  constructor(routes: ReadonlyMap<string, RemoteService>, clock: TimerClock) {
    this.#routes = routes;
    this.#clock = clock;
  }

  get generation(): number {
    return this.#generation;
  }

  /** Brings what is followed in line with the routes; to be called after each change of an APIService. */
  readonly sync = (): void => {
    const current = new Map([...this.#routes.values()].map((remote) => [remote.name, remote]));
    for (const [name, entry] of this.#entries) if (current.get(name) !== entry.remote) this.#forget(name, entry);
    for (const [name, remote] of current) {
      const known = this.#entries.get(name);
      if (known !== undefined && known.available === remote.available) continue;
      const entry = known ?? {
        remote,
        available: false,
        index: undefined,
        v2: undefined,
        converted: undefined,
        timer: undefined,
        turn: 0,
      };
      entry.available = remote.available;
      this.#entries.set(name, entry);
      if (remote.available) void this.#refresh(entry);
    }
  };

  index(): OpenAPIIndex {
    const paths: Record<string, { readonly serverRelativeURL: string }> = {};
    for (const { converted, index, remote } of this.#entries.values()) {
      for (const [name, value] of Object.entries(index?.paths ?? {})) paths[name] ??= value;
      if (converted !== undefined)
        paths[nameOf(remote)] ??= { serverRelativeURL: `/openapi/v3/${nameOf(remote)}?hash=${converted.etag}` };
    }
    return { paths };
  }

  documentsV2(): readonly DocumentV2[] {
    return [...this.#entries.values()].flatMap(({ v2 }) => v2?.document ?? []);
  }

  serve(name: string, request: IncomingMessage, response: ServerResponse): void {
    for (const { converted, index, remote } of this.#entries.values()) {
      if (index?.paths[name] !== undefined) {
        this.#relay(remote, request, response);
        return;
      }
      if (converted !== undefined && nameOf(remote) === name) {
        serveDocumentV3(request, response, {
          name,
          document: converted,
          query: (request.url ?? '').split('?', 2)[1] ?? '',
          now: this.#clock.now(),
        });
        return;
      }
    }
    response.writeHead(404, { 'content-length': 0 });
    response.end();
  }

  stop(): void {
    this.#stop.abort();
    for (const entry of this.#entries.values()) entry.timer?.cancel();
    this.#entries.clear();
  }

  #relay(remote: RemoteService, request: IncomingMessage, response: ServerResponse): void {
    let address: string | undefined;
    try {
      address = remote.available ? remote.address() : undefined;
    } catch (error) {
      if (!(error instanceof ServiceResolutionError)) throw error;
    }
    if (address === undefined) writeTextError(response, 503, 'service unavailable');
    else this.#proxy.handle(request, response, { remote, address });
  }

  #forget(name: string, entry: Entry): void {
    entry.timer?.cancel();
    entry.turn++;
    this.#entries.delete(name);
    this.#generation++;
  }

  async #refresh(entry: Entry): Promise<void> {
    entry.timer?.cancel();
    const turn = ++entry.turn;
    let next = refreshMs;
    try {
      const fetched = await this.#fetch(entry);
      if (entry.turn !== turn) return;
      Object.assign(entry, fetched);
      this.#generation++;
    } catch (error) {
      next = retryMs;
      if (log.enabled(2))
        log.info(
          'OpenAPI of an extension API server cannot be read',
          { name: entry.remote.name, err: messageOf(error) },
          2,
        );
    }
    if (this.#stop.signal.aborted || entry.turn !== turn) return;
    entry.timer = this.#clock.setTimer(() => {
      void this.#refresh(entry);
    }, next);
  }

  async #fetch({ converted: before, remote, v2: known }: Entry): Promise<Pick<Entry, 'index' | 'v2' | 'converted'>> {
    const question = { address: remote.address(), timeoutMs, signal: this.#stop.signal, user: openAPIUser };
    const [root, answer] = await Promise.all([
      askRemote(remote, { ...question, path: '/openapi/v3' }),
      askRemote(remote, {
        ...question,
        path: '/openapi/v2',
        headers: {
          accept: 'application/json',
          ...(known === undefined || known.etag === '' ? {} : { 'if-none-match': known.etag }),
        },
      }),
    ]);
    const index = root.status === 200 ? (parseJSON(root.body) as OpenAPIIndex) : undefined;
    const whole = answer.status === 200 ? (parseJSON(answer.body) as DocumentV2) : undefined;
    const v2 =
      answer.status === 304
        ? known
        : whole === undefined
          ? undefined
          : { etag: answer.headers.etag ?? '', document: filterV2(whole, (path) => path.startsWith('/apis/')) };
    const unchanged = answer.status === 304 ? before : undefined;
    const converted =
      index !== undefined
        ? undefined
        : whole === undefined
          ? unchanged
          : new StoredDocument(Buffer.from(goJSON(convertV2(whole))), this.#clock.now());
    return { index, v2, converted };
  }
}

function nameOf({ group, version }: RemoteService): string {
  return `apis/${group}/${version}`;
}
