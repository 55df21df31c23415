import { existsSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock, GroupVersion, Release } from '@kubechain/apimachinery';
import { append, messageOf, stringifyJSON } from '@kubechain/apimachinery';
import type { DiscoveryManager } from '../endpoints/discovery/discovery-manager.ts';
import type { APIInstaller } from '../endpoints/installer/api-installer.ts';
import { acceptsGzip } from '../endpoints/handlers/response/write-bytes.ts';
import { writeError } from '../responses/write-status.ts';
import { Logger } from '../logging/logger.ts';
import type { NonResourceMux } from '../mux/non-resource-mux.ts';
import { isBuiltInDefinition } from './built-in-schema.ts';
import type { DescriptionSource } from './built-in-schema.ts';
import { openAPIForCustomResource } from './custom-resource.ts';
import { Turns } from '../request/turns.ts';
import { documentV2 } from './document-v2.ts';
import type { DocumentV2 } from './document-v2.ts';
import { documentV3 } from './document-v3.ts';
import type { DocumentOptions } from './document-v3.ts';
import { acceptedRepresentation, representations } from './media-type.ts';
import { mergeV2, mergeV2InTurns } from './merge-v2.ts';
import type { DocumentDelegate, OpenAPIDelegate, OpenAPIIndex, OpenAPISource } from './open-api-source.ts';
import type { OpenAPISchema } from './open-api-schema.ts';
import { PackageDescriptions } from './package-descriptions.ts';
import { recordedFile, RecordedDescriptions } from './recorded-descriptions.ts';
import { releaseDescriptions } from './release-descriptions.ts';
import type { Route } from './route.ts';
import { resourceRoutes } from './resource-routes.ts';
import { endEmpty, serveDocumentV3 } from './serve-document-v3.ts';
import { serveContent } from './serve-content.ts';
import { groupRoute, groupVersionRoute, serverRoutes } from './server-routes.ts';
import { withCBOR } from './with-cbor.ts';
import { StoredDocument, goJSON, tagOf } from './stored-document.ts';

const log = new Logger('openapi');

/**
 * How long the next process may take for its index, and for a whole version 2 document, before its last known one is
 * used.
 */
const indexTimeoutMs = 5_000;
const documentTimeoutMs = 15_000;

export interface OpenAPIServiceOptions {
  readonly installer: APIInstaller;
  /** Tells what changes of `installer`. */
  readonly discovery: DiscoveryManager;
  /** Tells what changes behind the delegate. */
  readonly delegatedDiscovery: DiscoveryManager;
  readonly mux: NonResourceMux;
  readonly delegate: DocumentDelegate;
  readonly clock: Clock;
  readonly release: Release;
  /** Resources are served as CBOR as well. Default false. */
  readonly cbor?: boolean;
  /** What stands before paths of the index, for clients that find the server below a path. Default nothing. */
  readonly pathPrefix?: string;
  /** Of the default release. Default: what a build has recorded, else from npm packages. */
  readonly descriptions?: DescriptionSource;
}

/** How documents of custom resources present themselves. */
const customDocument = {
  info: { title: 'Kubernetes CRD Swagger', version: 'v0.1.0' },
  secured: false,
  custom: true,
} as const;

/** What a version 2 document is made of. */
interface DocumentParts {
  readonly routes: Route[];
  readonly schemas: Map<string, OpenAPISchema>;
}

/** Shared by the servers of a process: files are read once. */
let packageDescriptions: DescriptionSource | undefined;

/** A build's where there is one, else those of the packages. */
function descriptionsHere(): DescriptionSource {
  const file = recordedFile();
  return existsSync(file) ? new RecordedDescriptions(file) : new PackageDescriptions();
}

/**
 * Serves `/openapi/v3`, its documents, and `/openapi/v2`, for what this server has installed and for everything behind
 * it.
 *
 *     own group versions ─ built on first use, kept compressed, dropped on change ─┐
 *     sources (extension servers) ─ in memory ─────────────────────────────────────┼─► index, version 2
 *     delegate ─ fetched when its discovery has changed; else the last known ──────┘
 *
 * Documents of the delegate are passed through. A delegate that does not answer leaves its last known entries in the
 * index.
 */
export class OpenAPIService implements OpenAPIDelegate {
  readonly #options: OpenAPIServiceOptions;
  readonly #descriptions: DescriptionSource;
  readonly #documents = new Map<string, StoredDocument>();
  /** Those that are being made of what there is now, by name. */
  readonly #building = new Map<string, Promise<StoredDocument | undefined>>();
  readonly #sources: OpenAPISource[] = [];
  readonly #stop: () => void;
  /** Counts changes of own documents. */
  #generation = 0;
  #delegateIndex: { readonly generation: number; readonly index: OpenAPIIndex } | undefined;
  #delegateV2: { readonly generation: number; readonly document: DocumentV2 } | undefined;
  #ownV2: { readonly generation: number; readonly document: StoredDocument } | undefined;
  #v2: { readonly key: string; readonly json: StoredDocument; protobuf?: Promise<StoredDocument> } | undefined;
  #buildingV2: Promise<void> | undefined;
  /** The aggregator's index says that it is text, since Go's server looks at the bytes. */
  indexContentType = 'application/json';

  constructor(options: OpenAPIServiceOptions) {
    this.#options = options;
    this.#descriptions = releaseDescriptions(
      options.release,
      options.descriptions ?? (packageDescriptions ??= descriptionsHere()),
    );
    const { discovery, mux } = options;
    this.#stop = discovery.onChange(({ groupVersion }) => {
      this.#generation++;
      this.#documents.delete(documentName(groupVersion));
      // Whoever asks from now on is told of the change.
      this.#building.delete(documentName(groupVersion));
    });
    mux.handle('/openapi/v2', (request, response) => {
      this.#serveV2(request, response).catch((error: unknown) => {
        writeError(request, response, error);
      });
    });
    mux.handle('/openapi/v3', (request, response) => {
      this.#serveIndex(request, response).catch((error: unknown) => {
        writeError(request, response, error);
      });
    });
    mux.handlePrefix('/openapi/v3/', (request, response) => {
      this.#serveV3(request, response).catch((error: unknown) => {
        writeError(request, response, error);
      });
    });
  }

  /** Adds documents of others; those of the chain go first. */
  addSource(source: OpenAPISource): void {
    this.#sources.push(source);
  }

  close(): void {
    this.#stop();
  }

  async index(signal?: AbortSignal): Promise<OpenAPIIndex> {
    const paths = new Map<string, { readonly serverRelativeURL: string }>();
    // Of what there is now, whatever changes meanwhile.
    const names = [...this.#ownNames()];
    for (const name of names) {
      const document = await this.#document(name);
      if (document !== undefined) paths.set(name, { serverRelativeURL: `/openapi/v3/${name}?hash=${document.etag}` });
    }
    // Its time begins once the own documents are made.
    const delegated = await this.#indexOfDelegate(signal ?? AbortSignal.timeout(indexTimeoutMs));
    const others = [delegated, ...this.#sources.map((source) => source.index())];
    for (const other of others)
      for (const [name, entry] of Object.entries(other?.paths ?? {})) if (!paths.has(name)) paths.set(name, entry);
    const { pathPrefix = '' } = this.#options;
    const entries = [...paths].sort(([a], [b]) => (a < b ? -1 : 1));
    if (pathPrefix === '') return { paths: Object.fromEntries(entries) };
    // Clients take these from the root of the host, wherever they found the index.
    const prefixed = entries.map(
      ([name, { serverRelativeURL }]) => [name, { serverRelativeURL: `${pathPrefix}${serverRelativeURL}` }] as const,
    );
    return { paths: Object.fromEntries(prefixed) };
  }

  async documentV2(signal?: AbortSignal): Promise<DocumentV2> {
    await this.#updateV2(signal);
    return JSON.parse((await this.#v2?.json.plain())?.toString() ?? '{}') as DocumentV2;
  }

  async #serveIndex(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const bytes = Buffer.from(goJSON(await this.index()));
    const etag = tagOf(bytes);
    serveContent(request, response, {
      bytes,
      lastModified: this.#options.clock.now(),
      contentType: this.indexContentType,
      ...(this.indexContentType === 'application/json' ? { etag } : {}),
    });
  }

  async #serveV3(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [path = '', query = ''] = (request.url ?? '').split('?', 2);
    const name = decodePath(path.slice('/openapi/v3/'.length));
    const document = await this.#document(name);
    if (document === undefined) {
      const source = this.#sources.find((candidate) => candidate.index().paths[name] !== undefined);
      if (source !== undefined) source.serve(name, request, response);
      else if (this.#options.delegate.openAPI !== undefined) this.#options.delegate.handle(request, response);
      else endEmpty(response, 404);
      return;
    }
    serveDocumentV3(request, response, { name, document, query, now: this.#options.clock.now() });
  }

  async #serveV2(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader('Vary', 'Accept-Encoding, Accept');
    const representation = acceptedRepresentation(request.headers.accept, representations('v2'));
    if (representation === undefined) {
      endEmpty(response, 406);
      return;
    }
    await this.#updateV2();
    const current = this.#v2;
    if (current === undefined) {
      endEmpty(response, 503);
      return;
    }
    const document =
      representation.format === 'json' ? current.json : await (current.protobuf ??= this.#protobufOf(current.json));
    const compressed = acceptsGzip(request) && request.headers.range === undefined;
    if (compressed) response.setHeader('Content-Encoding', 'gzip');
    serveContent(request, response, {
      etag: current.json.etag,
      lastModified: document.lastModified,
      contentType: representation.contentType,
      bytes: compressed ? document.gzip : await document.plain(),
    });
  }

  async #protobufOf(json: StoredDocument): Promise<StoredDocument> {
    const { encodeV2 } = await import('./gnostic/encode.ts');
    return new StoredDocument(encodeV2(JSON.parse((await json.plain()).toString()) as object), json.lastModified);
  }

  /** Brings the merged version 2 document up to date; requests that come meanwhile wait for the same one. */
  #updateV2(signal?: AbortSignal): Promise<void> {
    return (this.#buildingV2 ??= this.#buildV2(signal ?? AbortSignal.timeout(documentTimeoutMs)).finally(() => {
      this.#buildingV2 = undefined;
    }));
  }

  async #buildV2(signal: AbortSignal): Promise<void> {
    const delegate = await this.#v2OfDelegate(signal);
    const key = [
      this.#generation,
      delegate?.generation ?? -1,
      ...this.#sources.map((source) => source.generation),
    ].join(' ');
    if (this.#v2?.key === key) return;
    const documents = [
      await this.#ownDocumentV2(),
      ...(delegate === undefined ? [] : [delegate.document]),
      ...this.#sources.flatMap((source) => source.documentsV2()),
    ];
    const turns = new Turns();
    const merged = await mergeV2InTurns(documents, turns);
    await turns.next();
    const bytes = Buffer.from(stringifyJSON(merged));
    await turns.next();
    const json = new StoredDocument(bytes, this.#options.clock.now());
    // What is the same in other words keeps its tag and its date.
    this.#v2 = this.#v2?.json.etag === json.etag ? { ...this.#v2, key } : { key, json };
  }

  async #ownDocumentV2(): Promise<DocumentV2> {
    if (this.#ownV2?.generation === this.#generation)
      return JSON.parse((await this.#ownV2.document.plain()).toString()) as DocumentV2;
    const generation = this.#generation;
    const turns = new Turns();
    const { release } = this.#options;
    const own: DocumentParts = { routes: [], schemas: new Map() };
    // Definitions of custom resources under names of built-in ones: these get other names.
    const taken: DocumentParts = { routes: [], schemas: new Map() };
    for (const name of this.#ownNames()) append(own.routes, this.#routes(name));
    const groupVersions = [...this.#options.installer.groupVersions()];
    for (const groupVersion of groupVersions) {
      for (const custom of this.#options.installer.customResources(groupVersion)) {
        const { routes, schemasV2 } = openAPIForCustomResource(custom, this.#descriptions, release);
        const parts = [...schemasV2.keys()].some((name) => isBuiltInDefinition(name, release)) ? taken : own;
        append(parts.routes, routes);
        for (const [name, schema] of schemasV2) parts.schemas.set(name, schema);
        await turns.next();
      }
    }
    const documents = (taken.routes.length === 0 ? [own] : [own, taken]).map(({ routes, schemas }) =>
      documentV2(routes, { ...this.#documentOptions(), schemas }),
    );
    await turns.next();
    const document = mergeV2(documents);
    this.#ownV2 = {
      generation,
      document: new StoredDocument(Buffer.from(stringifyJSON(document)), 0),
    };
    return document;
  }

  async #v2OfDelegate(
    signal: AbortSignal,
  ): Promise<{ readonly generation: number; readonly document: DocumentV2 } | undefined> {
    const { delegate, delegatedDiscovery } = this.#options;
    if (delegate.openAPI === undefined) return undefined;
    const { generation } = delegatedDiscovery;
    if (this.#delegateV2?.generation === generation) return this.#delegateV2;
    try {
      return (this.#delegateV2 = { generation, document: await delegate.openAPI.documentV2(signal) });
    } catch (error) {
      log.info('OpenAPI of the next process cannot be read', {
        delegate: delegate.name,
        error: messageOf(error),
      });
      return this.#delegateV2;
    }
  }

  async #indexOfDelegate(signal: AbortSignal): Promise<OpenAPIIndex | undefined> {
    const { delegate, delegatedDiscovery } = this.#options;
    if (delegate.openAPI === undefined) return undefined;
    const { generation } = delegatedDiscovery;
    if (this.#delegateIndex?.generation === generation) return this.#delegateIndex.index;
    try {
      const index = await delegate.openAPI.index(signal);
      this.#delegateIndex = { generation, index };
      return index;
    } catch (error) {
      log.info('OpenAPI of the next process cannot be read', {
        delegate: delegate.name,
        error: messageOf(error),
      });
      return this.#delegateIndex?.index;
    }
  }

  /** Names of own documents. */
  *#ownNames(): Generator<string> {
    const groups = new Set<string>();
    const { installer, mux } = this.#options;
    for (const groupVersion of installer.groupVersions()) {
      yield documentName(groupVersion);
      if (groupVersion.group !== '' && !groups.has(groupVersion.group) && installer.isBuiltIn(groupVersion)) {
        groups.add(groupVersion.group);
        yield `apis/${groupVersion.group}`;
      }
    }
    for (const name of serverRoutes.keys()) if (mux.has(`/${name}`)) yield name;
  }

  /** Of what there is now; those who ask while it is being made wait for the same one. */
  async #document(name: string): Promise<StoredDocument | undefined> {
    const known = this.#documents.get(name);
    if (known !== undefined) return known;
    const begun = this.#building.get(name);
    if (begun !== undefined) return begun;
    const building = this.#build(name);
    this.#building.set(name, building);
    try {
      const document = await building;
      // What has changed meanwhile is not kept.
      if (document !== undefined && this.#building.get(name) === building) this.#documents.set(name, document);
      return document;
    } finally {
      if (this.#building.get(name) === building) this.#building.delete(name);
    }
  }

  /** A group version may have hundreds of custom resources: others are served between them. */
  async #build(name: string): Promise<StoredDocument | undefined> {
    const turns = new Turns();
    const groupVersion = groupVersionOf(name);
    const custom = groupVersion === undefined ? [] : this.#options.installer.customResources(groupVersion);
    let isCustom = false;
    const routes = [...this.#routes(name)];
    const schemas = new Map<string, OpenAPISchema>();
    for (const resource of custom) {
      const parts = openAPIForCustomResource(resource, this.#descriptions, this.#options.release);
      append(routes, parts.routes);
      for (const [definition, schema] of parts.schemas) schemas.set(definition, schema);
      isCustom = true;
      await turns.next();
    }
    if (routes.length === 0) return undefined;
    const options = { ...this.#documentOptions(), ...(groupVersion === undefined ? {} : { groupVersion }) };
    const document = documentV3(routes, !isCustom ? options : { ...options, ...customDocument, schemas });
    await turns.next();
    const text = goJSON(document);
    await turns.next();
    return new StoredDocument(Buffer.from(text), this.#options.clock.now());
  }

  #documentOptions(): DocumentOptions {
    const { release } = this.#options;
    return { descriptions: this.#descriptions, info: { title: 'Kubernetes', version: release.version }, release };
  }

  /** The operations of one own document; none when there is no such document. */
  #routes(name: string): readonly Route[] {
    const { installer, mux } = this.#options;
    const routes = serverRoutes.get(name);
    if (routes !== undefined) return mux.has(`/${name}`) ? routes : [];
    const groupVersion = groupVersionOf(name);
    if (groupVersion !== undefined) {
      const resources = installer.installedResources(groupVersion);
      return resources.length === 0
        ? []
        : [
            groupVersionRoute(groupVersion),
            ...resourceRoutes({ groupVersion, resources }, this.#descriptions, this.#options.release),
          ].map((route) => (this.#options.cbor === true ? withCBOR(route) : route));
    }
    const group = /^apis\/([^/]+)$/.exec(name)?.[1];
    if (group === undefined) return [];
    for (const installed of installer.groupVersions())
      if (installed.group === group && installer.isBuiltIn(installed)) return [groupRoute(group)];
    return [];
  }
}

/** `api/v1`, `apis/apps/v1`. */
function documentName({ group, version }: GroupVersion): string {
  return group === '' ? `api/${version}` : `apis/${group}/${version}`;
}

function groupVersionOf(name: string): GroupVersion | undefined {
  const match = /^(?:api|apis\/([^/]+))\/([^/]+)$/.exec(name);
  return match === null ? undefined : { group: match[1] ?? '', version: match[2] ?? '' };
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
