import { limits, parseJSON } from '@kubechain/apimachinery';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Logger } from '@kubechain/apiserver/logging';
import { ServiceResolutionError, TurnQueue, writeTextError } from '@kubechain/apiserver/proxies';
import { StoredDocument, convertV2, filterV2, goJSON, serveDocumentV3 } from '@kubechain/apiserver/servers';
import type { DocumentV2, OpenAPIIndex, OpenAPISource } from '@kubechain/apiserver/servers';
import type { Timer, TimerClock } from '@kubechain/apimachinery';
import { messageOf } from '@kubechain/apimachinery';
import { askRemote, RemoteAskError, type RemoteAnswer } from '../remote/ask-remote.ts';
import { FewAtOnce } from '../remote/few-at-once.ts';
import { KeptDocuments } from '../remote/kept-documents.ts';
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
  readonly #kept = new KeptDocuments(limits.extensionOpenAPI.value);
  readonly #few = new FewAtOnce();
  /** Each step on a document is made in a turn of its own. */
  readonly #turns = new TurnQueue();
  #generation = 0;
  #index: { readonly generation: number; readonly index: OpenAPIIndex } | undefined;

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
    if (this.#index?.generation === this.#generation) return this.#index.index;
    const paths = new Map<string, OpenAPIIndex['paths'][string]>();
    for (const { converted, index, remote } of this.#entries.values()) {
      const own = Object.entries(index?.paths ?? {});
      if (converted !== undefined)
        own.push([nameOf(remote), { serverRelativeURL: `/openapi/v3/${nameOf(remote)}?hash=${converted.etag}` }]);
      for (const [name, value] of own)
        if (!paths.has(name) && paths.size < limits.extensionPaths.value) paths.set(name, value);
    }
    const index = { paths: Object.fromEntries(paths) };
    this.#index = { generation: this.#generation, index };
    return index;
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
    this.#kept.forget(`${name} v3`);
    this.#kept.forget(`${name} v2`);
    this.#generation++;
  }

  async #refresh(entry: Entry): Promise<void> {
    entry.timer?.cancel();
    const turn = ++entry.turn;
    let next = refreshMs;
    try {
      const fetched = await this.#few.ask(entry.remote.key, () => this.#fetch(entry));
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
      }).catch((error: unknown) => {
        if (error instanceof RemoteAskError) return error;
        throw error;
      }),
    ]);
    const index = root.status === 200 ? await this.#read<OpenAPIIndex>(`${remote.name} v3`, root) : undefined;
    if (answer instanceof RemoteAskError) {
      // Those who know version 3 need no version 2.
      if (index === undefined) throw answer;
      return { index, v2: known, converted: undefined };
    }
    if (answer.status === 304) return { index, v2: known, converted: index === undefined ? before : undefined };
    if (answer.status !== 200) return { index, v2: undefined, converted: undefined };
    const whole = await this.#read<DocumentV2>(`${remote.name} v2`, answer);
    await this.#turns.take('');
    const document = filterV2(whole, (path) => path.startsWith('/apis/'));
    return {
      index,
      v2: { etag: answer.headers.etag ?? '', document },
      converted: index === undefined ? await this.#convert(whole) : undefined,
    };
  }

  /** Parses what is kept under a name. @throws RemoteAskError where there is no room for it */
  async #read<T>(name: string, { body, values }: RemoteAnswer): Promise<T> {
    if (!this.#kept.keep(name, { bytes: body.length, values }))
      throw new RemoteAskError('the documents are too large together');
    await this.#turns.take('');
    return parseJSON(body) as T;
  }

  async #convert(whole: DocumentV2): Promise<StoredDocument> {
    await this.#turns.take('');
    const converted = convertV2(whole);
    await this.#turns.take('');
    const bytes = Buffer.from(goJSON(converted));
    await this.#turns.take('');
    return new StoredDocument(bytes, this.#clock.now());
  }
}

function nameOf({ group, version }: RemoteService): string {
  return `apis/${group}/${version}`;
}
