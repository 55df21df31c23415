import { PassingFailure } from '@kubechain/shared-storage/testing';
import type { Change, FaultClient, FaultWatchSink, Outcome, Snapshot } from '@kubechain/shared-storage/testing';
import type { Answer, CallOptions, Client, WatchStream } from '../harness/client.ts';

/** What a server may answer while it, one behind it or the store is away. Anything else is a wrong answer. */
function mayPass({ code }: Pick<Status, 'code'>): boolean {
  return code === 429 || code === 503 || code === 504;
}

/** What a watch is told of a store that does not answer. */
const unanswered = 'context deadline exceeded';

const PAGE = 3;
/** No fault lasts as long; a request that gets no answer at all has hung. */
const TIMEOUT_MS = 60_000;

interface Resource {
  /** `/api/v1/namespaces/NS/configmaps` */
  readonly path: string;
  readonly apiVersion: string;
  readonly kind: string;
  /**
   * Requests may come to several servers, of which one may know less than another: a list of any state asks for one
   * that is not older than the last, as informers do. Default: one server.
   */
  readonly severalServers?: boolean;
  /** Further answers that may be given while something is away: those of other servers than ours. */
  readonly mayAlsoPass?: (status: Status) => boolean;
}

interface Meta {
  readonly name: string;
  readonly resourceVersion: string;
  readonly labels?: Readonly<Record<string, string>>;
}
export interface Status {
  readonly code: number;
  readonly reason: string | undefined;
  readonly message: string;
}
interface Stored {
  readonly metadata: Meta;
}

/** Objects of one resource in one namespace, over HTTP through the whole chain, used under faults. */
export class HttpFaultClient implements FaultClient {
  readonly name: string;
  readonly #client: Client;
  readonly #resource: Resource;
  /** The newest state that a list has shown. */
  #seen = 0;

  constructor(name: string, client: Client, resource: Resource) {
    this.name = name;
    this.#client = client;
    this.#resource = resource;
  }

  /** Server-side apply: creates or replaces, and repeated by itself it changes nothing. */
  async put(name: string, content: { readonly write: string; readonly selected: boolean }): Promise<Outcome> {
    const { path, apiVersion, kind } = this.#resource;
    const object = {
      apiVersion,
      kind,
      metadata: { name, labels: { write: content.write, selected: content.selected ? 'yes' : 'no' } },
    };
    return this.#write('PATCH', `${path}/${name}?fieldManager=faults&force=true`, {
      body: object,
      headers: { 'content-type': 'application/apply-patch+yaml' },
    });
  }

  async delete(name: string): Promise<Outcome> {
    return this.#write('DELETE', `${this.#resource.path}/${name}`);
  }

  async get(name: string): Promise<string | undefined> {
    const answer = await this.#call('GET', `${this.#resource.path}/${name}`);
    if (isAbsent(answer, name)) return undefined;
    return (expected(answer, 200).body as Stored).metadata.labels?.['write'] ?? '';
  }

  async list(
    how: 'consistent' | 'paged' | 'anyState',
    options: { readonly selectedOnly?: boolean } = {},
  ): Promise<Snapshot> {
    const query = new URLSearchParams({
      ...(options.selectedOnly === true ? { labelSelector: 'selected=yes' } : {}),
      ...(how === 'anyState'
        ? { resourceVersion: String(this.#resource.severalServers === true ? this.#seen : 0) }
        : {}),
      ...(how === 'paged' ? { limit: String(PAGE) } : {}),
    });
    const items: (readonly [string, string])[] = [];
    for (;;) {
      const answer = await this.#call('GET', `${this.#resource.path}?${query.toString()}`);
      if (how === 'paged' && answer.status === 410) throw new PassingFailure(answer.text);
      const list = expected(answer, 200).body as {
        readonly metadata: { readonly resourceVersion: string; readonly continue?: string };
        readonly items: readonly Stored[];
      };
      for (const { metadata } of list.items)
        if (metadata.labels?.['write'] !== undefined) items.push([metadata.name, metadata.labels['write']]);
      const { resourceVersion, continue: token = '' } = list.metadata;
      if (token === '') {
        this.#seen = Math.max(this.#seen, Number(resourceVersion));
        return { revision: Number(resourceVersion), items };
      }
      query.set('continue', token);
    }
  }

  async watch(
    options: { readonly from: number; readonly selectedOnly: boolean; readonly signal: AbortSignal },
    sink: FaultWatchSink,
  ): Promise<'ended' | 'expired'> {
    const query = new URLSearchParams({
      watch: 'true',
      resourceVersion: String(options.from),
      allowWatchBookmarks: 'true',
      ...(options.selectedOnly ? { labelSelector: 'selected=yes' } : {}),
    });
    let stream: WatchStream;
    try {
      stream = await this.#client.watch(`${this.#resource.path}?${query.toString()}`);
    } catch (error) {
      // Without an answer, or with one that is not 200: the next attempt tells whether it passes.
      throw new PassingFailure(String(error), { cause: error });
    }
    const close = (): void => stream.close();
    options.signal.addEventListener('abort', close);
    if (options.signal.aborted) close();
    try {
      for (let seen = 0; ;) {
        const goesOn = await stream.atLeast(seen + 1, 2 ** 30).then(
          () => true,
          () => false,
        );
        for (const { type, object } of stream.events.slice(seen)) {
          if (type === 'ERROR') return this.#failed(object as Status);
          const { name, resourceVersion, labels } = (object as Stored).metadata;
          const revision = Number(resourceVersion);
          if (type === 'BOOKMARK') sink.bookmark(revision);
          else
            sink.change({
              type: type as Change['type'],
              revision,
              name,
              write: labels?.['write'] ?? '',
              selected: labels?.['selected'] === 'yes',
            });
          seen++;
        }
        if (!goesOn) return 'ended';
      }
    } finally {
      options.signal.removeEventListener('abort', close);
      close();
    }
  }

  #failed(status: Status): 'expired' {
    if (status.code === 410) return 'expired';
    if (this.#mayPass(status) || status.message === unanswered) throw new PassingFailure(status.message);
    throw new Error(`${this.name}: a watch failed with ${status.code}: ${status.message}`);
  }

  close(): Promise<void> {
    this.#client.close();
    return Promise.resolve();
  }

  async #write(method: 'PATCH' | 'DELETE', path: string, options: CallOptions = {}): Promise<Outcome> {
    let answer: Answer;
    try {
      answer = await this.#call(method, path, options);
    } catch (error) {
      if (error instanceof PassingFailure) return { kind: 'unknown', why: error.message };
      throw error;
    }
    if (method === 'DELETE' && isAbsent(answer, path.slice(path.lastIndexOf('/') + 1))) return { kind: 'absent' };
    const { metadata } = expected(answer, 200, 201).body as Partial<Stored>;
    // A deletion is answered with a Status, which has no resourceVersion.
    return { kind: 'acknowledged', revision: method === 'PATCH' ? Number(metadata?.resourceVersion) : undefined };
  }

  #mayPass(status: Status): boolean {
    return mayPass(status) || this.#resource.mayAlsoPass?.(status) === true;
  }

  /** @throws PassingFailure without an answer, or with one that says to try again */
  async #call(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
    let answer: Answer;
    try {
      answer = await this.#client.call(method, path, { ...options, timeoutMs: TIMEOUT_MS });
    } catch (error) {
      if (error instanceof Error && error.message.endsWith('no answer in time')) throw error;
      throw new PassingFailure(String(error), { cause: error });
    }
    const { message = '', reason } = (answer.body ?? {}) as Partial<Status>;
    if (this.#mayPass({ code: answer.status, reason, message }))
      throw new PassingFailure(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer;
  }
}

/** The object is not there; a resource that is not there is another thing, and never right here. */
function isAbsent(answer: Answer, name: string): boolean {
  const details = (answer.body as { readonly details?: { readonly name?: string } } | undefined)?.details;
  return answer.status === 404 && details?.name === name;
}

function expected(answer: Answer, ...statuses: readonly number[]): Answer {
  if (!statuses.includes(answer.status)) throw new Error(`answered with ${answer.status}: ${answer.text}`);
  return answer;
}
