import { parseJSON, type KubeObject, type ObjectMeta } from '@kubechain/apimachinery';
import type { PartialObjectMetadata } from '@kubechain/apimachinery/types/meta/v1';
import { inTurns } from '../clock/in-turns.ts';
import { ListReader } from './list-reader.ts';
import type { Requester } from './requester.ts';
import { apiVersionOf, resourcePath, type ResourceType } from './resource-type.ts';
import { watchEvents, type WatchEvent } from './watch-events.ts';

/** Where an object is. */
export interface ObjectName {
  readonly name: string;
  readonly namespace?: string | undefined;
}

export interface ListOptions {
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  readonly limit?: number;
  readonly continue?: string;
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan';
  readonly signal?: AbortSignal | undefined;
  /** Only `metadata` of each object. */
  readonly metadataOnly?: boolean;
}

export interface WatchOptions extends ListOptions {
  readonly allowWatchBookmarks?: boolean;
  readonly timeoutSeconds?: number;
}

export interface DeleteOptions {
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: 'Orphan' | 'Background' | 'Foreground';
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  readonly signal?: AbortSignal | undefined;
}

export interface List<T> {
  readonly metadata: { readonly resourceVersion?: string; readonly continue?: string };
  readonly items: T[];
}

export type PatchType =
  | 'application/merge-patch+json'
  | 'application/strategic-merge-patch+json'
  | 'application/json-patch+json';

export interface PatchOptions {
  /** Default: strategic for built-in kinds is not assumed; merge. */
  readonly type?: PatchType;
  readonly subresource?: string;
  readonly metadataOnly?: boolean;
  readonly fieldManager?: string;
  readonly signal?: AbortSignal;
}

/** Of a list's body, read between two looks at the time. */
const PIECE_BYTES = 64 * 1024;
const METADATA_ACCEPT = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json';
const METADATA_LIST_ACCEPT = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json';

/**
 * The verbs of one resource. Objects go out and come back as plain data; lists' items get the apiVersion and kind that
 * they lack on the wire. All verbs throw StatusError or TransportError.
 */
export class ResourceClient<T extends object = KubeObject> {
  readonly type: ResourceType<T>;
  readonly #client: Requester;

  constructor(client: Requester, type: ResourceType<T>) {
    this.#client = client;
    this.type = type;
  }

  get({ name, namespace }: ObjectName, signal?: AbortSignal): Promise<T> {
    return this.#client.json<T>({ method: 'GET', path: resourcePath(this.type, { name, namespace }), signal });
  }

  getMetadata({ name, namespace }: ObjectName, signal?: AbortSignal): Promise<PartialObjectMetadata> {
    return this.#client.json<PartialObjectMetadata>({
      method: 'GET',
      path: resourcePath(this.type, { name, namespace }),
      accept: METADATA_ACCEPT,
      signal,
    });
  }

  async list(options: ListOptions = {}): Promise<List<T>> {
    const items: T[] = [];
    return { metadata: await this.#page(options, (item) => items.push(item)), items };
  }

  /** Everything, page by page. */
  async listAll(options: ListOptions = {}): Promise<List<T>> {
    const items: T[] = [];
    return { metadata: await this.each(options, (item) => items.push(item)), items };
  }

  /** Shows every item once, while its page is read: what is not kept of them takes no memory. */
  async each(options: ListOptions, visit: (item: T) => void): Promise<List<T>['metadata']> {
    const first = await this.#page({ limit: 500, ...options }, visit);
    for (let page = first; page.continue !== undefined && page.continue !== '';)
      page = await this.#page({ limit: 500, ...options, continue: page.continue }, visit);
    return first.resourceVersion === undefined ? {} : { resourceVersion: first.resourceVersion };
  }

  /** Resolves to the metadata of the page. */
  #page(options: ListOptions, visit: (item: T) => void): Promise<List<T>['metadata']> {
    const type = { apiVersion: apiVersionOf(this.type), kind: this.type.kind };
    return this.#client.read(
      {
        method: 'GET',
        path: resourcePath(this.type, { namespace: options.namespace }),
        query: listQuery(options),
        ...(options.metadataOnly === true ? { accept: METADATA_LIST_ACCEPT } : {}),
        signal: options.signal,
      },
      async (body) => {
        const reader = new ListReader((bytes) => visit(Object.assign(parseJSON(bytes.toString('utf8')) as T, type)));
        for await (const chunk of body) await inTurns(pieces(chunk), (piece) => reader.push(piece));
        return (reader.end() as Partial<List<T>>).metadata ?? {};
      },
    );
  }

  /** Ends when the server ends it; `return` the iterator, or abort, to end it earlier. */
  async watch(options: WatchOptions = {}): Promise<AsyncIterable<WatchEvent<T>>> {
    const query = listQuery(options);
    query.set('watch', 'true');
    if (options.allowWatchBookmarks === true) query.set('allowWatchBookmarks', 'true');
    if (options.timeoutSeconds !== undefined) query.set('timeoutSeconds', String(options.timeoutSeconds));
    const response = await this.#client.stream({
      method: 'GET',
      path: resourcePath(this.type, { namespace: options.namespace }),
      query,
      ...(options.metadataOnly === true ? { accept: METADATA_ACCEPT } : {}),
      signal: options.signal,
    });
    return watchEvents<T>(response.body);
  }

  /** `subresource` e.g. `token`, `eviction`, `binding`: then the answer is of that kind. */
  create<R = T>(
    object: object,
    at: { readonly namespace?: string | undefined; readonly name?: string; readonly subresource?: string } = {},
  ): Promise<R> {
    const namespace = at.namespace ?? metaOf(object)?.namespace;
    return this.#client.json<R>({
      method: 'POST',
      path: resourcePath(this.type, { ...at, namespace }),
      body: this.#typed(object, at.subresource),
    });
  }

  update(object: T, subresource?: string): Promise<T> {
    const { name = '', namespace } = metaOf(object) ?? {};
    return this.#client.json<T>({
      method: 'PUT',
      path: resourcePath(this.type, { name, namespace, ...(subresource === undefined ? {} : { subresource }) }),
      body: this.#typed(object, subresource),
    });
  }

  updateStatus(object: T): Promise<T> {
    return this.update(object, 'status');
  }

  patch({ name, namespace }: ObjectName, patch: unknown, options: PatchOptions = {}): Promise<T> {
    return this.#client.json<T>({
      method: 'PATCH',
      path: resourcePath(this.type, {
        name,
        namespace,
        ...(options.subresource === undefined ? {} : { subresource: options.subresource }),
      }),
      body: patch,
      ...(options.fieldManager === undefined
        ? {}
        : { query: new URLSearchParams({ fieldManager: options.fieldManager }) }),
      contentType: options.type ?? 'application/merge-patch+json',
      ...(options.metadataOnly === true ? { accept: METADATA_ACCEPT } : {}),
      signal: options.signal,
    });
  }

  /** Server-side apply: `object` says what `fieldManager` wants, and no more. */
  apply(
    object: T,
    {
      fieldManager,
      force = false,
      subresource,
    }: { readonly fieldManager: string; readonly force?: boolean; readonly subresource?: string },
  ): Promise<T> {
    const { name = '', namespace } = metaOf(object) ?? {};
    return this.#client.json<T>({
      method: 'PATCH',
      path: resourcePath(this.type, { name, namespace, ...(subresource === undefined ? {} : { subresource }) }),
      query: new URLSearchParams({ fieldManager, force: String(force) }),
      body: this.#typed(object, undefined),
      contentType: 'application/apply-patch+yaml',
    });
  }

  async delete({ name, namespace }: ObjectName, options: DeleteOptions = {}): Promise<void> {
    const { signal, ...body } = options;
    await this.#client.read(
      {
        method: 'DELETE',
        path: resourcePath(this.type, { name, namespace }),
        body: { apiVersion: 'v1', kind: 'DeleteOptions', ...body },
        signal,
      },
      readPast,
    );
  }

  async deleteCollection(list: ListOptions = {}, options: DeleteOptions = {}): Promise<void> {
    const { signal, ...body } = options;
    await this.#client.read(
      {
        method: 'DELETE',
        path: resourcePath(this.type, { namespace: list.namespace }),
        query: listQuery(list),
        body: { apiVersion: 'v1', kind: 'DeleteOptions', ...body },
        signal: signal ?? list.signal,
      },
      readPast,
    );
  }

  #typed(object: object, subresource: string | undefined): object {
    return subresource === undefined || subresource === 'status'
      ? { ...object, apiVersion: apiVersionOf(this.type), kind: this.type.kind }
      : object;
  }
}

/**
 * To the end of an answer that says nothing that is needed: of a collection it is all that was deleted, which may be
 * more than a text can have.
 */
async function readPast(body: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of body);
}

/** Small enough for a turn, however large the items of a list are together. */
function* pieces(chunk: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < chunk.length; at += PIECE_BYTES) yield chunk.subarray(at, at + PIECE_BYTES);
}

function metaOf(object: object): ObjectMeta | undefined {
  return (object as KubeObject).metadata;
}

function listQuery(options: ListOptions): URLSearchParams {
  const query = new URLSearchParams();
  for (const name of ['labelSelector', 'fieldSelector', 'continue', 'resourceVersionMatch'] as const)
    if (options[name] !== undefined && options[name] !== '') query.set(name, options[name]);
  if (options.limit !== undefined && options.limit > 0) query.set('limit', String(options.limit));
  // A continue token has its own version.
  if (options.resourceVersion !== undefined && query.get('continue') === null)
    query.set('resourceVersion', options.resourceVersion);
  return query;
}
