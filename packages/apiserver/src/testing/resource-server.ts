import { systemClock, systemRandomness } from '@kubechain/apimachinery';
import { Cacher } from '@kubechain/shared-storage/factory';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { builtinScheme, StatusError } from '@kubechain/apimachinery';
import type { RESTOptionsGetter } from '@kubechain/shared-storage';
import type { AdmissionChain } from '../admission/admission.ts';
import type { Authorizer } from '../authorization/authorizer.ts';
import { DiscoveryEndpoints } from '../endpoints/discovery/discovery-endpoints.ts';
import { DiscoveryManager } from '../endpoints/discovery/discovery-manager.ts';
import { WatchMetrics } from '../metrics/watch-metrics.ts';
import { APIInstaller } from '../endpoints/installer/api-installer.ts';
import { setRequestContext, type RequestContext } from '../request/request-context.ts';
import type { SideServer } from '../request/side-server.ts';
import { parseRequestInfo, parseRequestTarget } from '../request/request-info.ts';
import { writeError } from '../responses/write-status.ts';
import type { ResourceHandler } from '../endpoints/route.ts';
import { ResourceRouteTable } from '../server/resource-route-table.ts';
import { createResource } from '../registry/generic/create-resource.ts';
import type { ResourceSpec } from '../registry/generic/resource-spec.ts';
import type { RESTStorage } from '../registry/rest/storage.ts';
import { MemoryEtcd, MemoryStorage } from '@kubechain/shared-storage/testing';

const allowAll: Authorizer = { authorize: () => ({ decision: 'Allow', reason: '' }) };
const noAdmission: AdmissionChain = {
  empty: true,
  handles: () => false,
  admit: () => undefined,
  validate: () => undefined,
};

/** What stands before the resources. */
export interface ResourceServerOptions {
  readonly admission?: AdmissionChain;
  readonly authorizer?: Authorizer;
  /** Feature gate AllowUnsafeMalformedObjectDeletion. */
  readonly unsafeDeletion?: boolean;
  /** Feature gate CBORServingAndStorage. */
  readonly cbor?: boolean;
  /** Larger objects are refused by the store. Default: none are. */
  readonly maxObjectBytes?: number;
  readonly sideServer?: SideServer;
}

/** Installed resources over memory, behind a plain HTTP server without filters: for specs of endpoints. */
export class ResourceServer {
  readonly discovery = new DiscoveryManager();
  readonly watchMetrics = new WatchMetrics();
  readonly installer: APIInstaller;
  readonly restOptions: RESTOptionsGetter;
  readonly #routes = new ResourceRouteTable();
  readonly #documents = new Map<string, (request: IncomingMessage, response: ServerResponse) => void>();
  readonly #server: Server;

  constructor(options: ResourceServerOptions = {}) {
    const etcd = new MemoryEtcd(options.maxObjectBytes === undefined ? {} : { maxBytes: options.maxObjectBytes });
    this.restOptions = {
      getRESTOptions: ({ resource }) => ({
        decorator: (config) =>
          new Cacher({
            storage: new MemoryStorage(config.codec, { etcd }),
            config,
            keyRoot: `/registry/${resource}`,
            // Watches reach back to before the first request.
            start: 'eager',
          }),
        resourcePrefix: `/${resource}`,
        keyRoot: `/registry/${resource}`,
        enableGarbageCollection: true,
        deleteCollectionWorkers: 1,
      }),
    };
    this.installer = new APIInstaller({
      routes: this.#routes,
      discovery: this.discovery,
      admission: options.admission ?? noAdmission,
      authorizer: options.authorizer ?? allowAll,
      clock: systemClock,
      random: systemRandomness.random,
      unsafeDeletion: options.unsafeDeletion ?? false,
      cbor: options.cbor ?? false,
      sideServer: options.sideServer,
      watchMetrics: this.watchMetrics,
    });
    const mux = {
      handle: (path: string, handler: (request: IncomingMessage, response: ServerResponse) => void) => {
        this.#documents.set(path, handler);
      },
      remove: (path: string) => {
        this.#documents.delete(path);
      },
    };
    new DiscoveryEndpoints({
      cbor: options.cbor ?? false,
      manager: this.discovery,
      mux,
      serverAddress: () => '127.0.0.1:6443',
    });
    this.#server = createServer((request, response) => {
      this.#serve(request, response);
    });
  }

  /** Creates and installs a built-in resource in one version. */
  install(
    spec: Omit<ResourceSpec, 'scheme'>,
    extra: (storage: RESTStorage) => Iterable<readonly [path: string, storage: RESTStorage]> = () => [],
  ): void {
    const scheme = builtinScheme();
    const { group, version } = spec.memoryVersion;
    const storage = createResource({ scheme, ...spec }, this.restOptions);
    const paths: (readonly [string, RESTStorage])[] = [[spec.plural, storage], ...extra(storage)];
    this.installer.installResources(paths.map(([path, of]) => ({ group, version, path, storage: of, scheme })));
  }

  listen(): Promise<string> {
    return new Promise((resolve) => {
      this.#server.listen(0, '127.0.0.1', () => {
        resolve(`http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`);
      });
    });
  }

  /** Resolves when no socket is open any more. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => {
        resolve();
      });
      this.#server.closeAllConnections();
    });
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    const { path, search } = parseRequestTarget(request.url ?? '/');
    const query = new URLSearchParams(search);
    const requestInfo = parseRequestInfo(request.method ?? 'GET', path, () => query);
    const { apiGroup, apiVersion, resource, subresource } = requestInfo;
    const route = this.#routes.get(apiGroup, apiVersion, resource, subresource);
    const document = this.#documents.get(path.endsWith('/') && path !== '/' ? path.slice(0, -1) : path);
    if (document !== undefined) {
      document(request, response);
      return;
    }
    const fail = (error: unknown): void => {
      writeError(request, response, error);
    };
    let handler: ResourceHandler | undefined;
    try {
      handler = route?.handlers.get(requestInfo.verb);
    } catch (error) {
      fail(error);
      return;
    }
    if (handler === undefined) {
      fail(
        route === undefined
          ? new StatusError({
              status: 'Failure',
              code: 404,
              reason: 'NotFound',
              message: 'the server could not find the requested resource',
              details: {},
            })
          : new StatusError({
              status: 'Failure',
              code: 405,
              reason: 'MethodNotAllowed',
              message: 'the server does not allow this method on the requested resource',
              details: {},
            }),
      );
      return;
    }
    const gone = new AbortController();
    response.once('close', () => {
      if (!response.writableFinished) gone.abort();
    });
    const warnings: string[] = [];
    const context: RequestContext = {
      requestInfo,
      query,
      user: { name: 'admin', groups: ['system:masters'] },
      auditID: '',
      receivedAtMs: Date.now(),
      deadlineMs: Infinity,
      signal: gone.signal,
      addWarning: (text) => {
        warnings.push(`299 - ${JSON.stringify(text)}`);
        response.setHeader('Warning', warnings);
      },
      addAuditAnnotation: () => undefined,
      addTiming: () => undefined,
    };
    setRequestContext(request, context);
    Promise.resolve()
      .then(() => handler(request, response, context))
      .catch(fail);
  }
}
