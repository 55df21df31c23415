import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GroupVersion } from '@kubechain/apimachinery';
import { writeError } from '../../responses/write-status.ts';
import type { DiscoveryManager } from './discovery-manager.ts';
import {
  checkMethod,
  discoveryDocument,
  negotiateAggregated,
  serveAggregated,
  serveDocument,
} from './serve-document.ts';
import type { DiscoveryDocument } from './serve-document.ts';
import { resourceMediaTypes } from '../../negotiation/media-types.ts';

/** A document that is not at the root. */
interface DocumentKind {
  /** It answers to any method. */
  readonly anyMethod: boolean;
  /** It lists the resources of a version. */
  readonly ofVersion: boolean;
}

/** Where documents are served: exact paths, which come and go. */
export interface DiscoveryMux {
  handle(
    path: string,
    handler: (request: IncomingMessage, response: ServerResponse) => void,
    options?: { readonly trailingSlash?: boolean },
  ): void;
  remove(path: string): void;
}

export interface DiscoveryEndpointsOptions {
  readonly manager: DiscoveryManager;
  readonly mux: DiscoveryMux;
  /** `host:port` for clients outside, in /api. Asked on each request. */
  readonly serverAddress: () => string;
  /** Leave /api and /apis to somebody else (the aggregator). Default true: serve them. */
  readonly roots?: boolean;
  /** Documents of versions may be CBOR, as their resources may. Default false. */
  readonly cbor?: boolean;
}

/**
 * Serves discovery: /api, /apis (plain and aggregated), /apis/<group>, /api/v1, /apis/<group>/<version>. Documents are
 * made on first use after a change and kept as bytes.
 */
export class DiscoveryEndpoints {
  readonly #options: DiscoveryEndpointsOptions;
  readonly #documents = new Map<string, DiscoveryDocument>();
  readonly #stop: () => void;

  constructor(options: DiscoveryEndpointsOptions) {
    this.#options = options;
    const { manager, mux } = options;
    if (options.roots !== false) {
      mux.handle(
        '/api',
        (request, response) => {
          this.#serveRoot(request, response, true);
        },
        { trailingSlash: true },
      );
      mux.handle(
        '/apis',
        (request, response) => {
          this.#serveRoot(request, response, false);
        },
        { trailingSlash: true },
      );
    }
    for (const groupVersion of manager.groupVersions()) this.#update(groupVersion, true);
    this.#stop = manager.onChange(({ groupVersion, served }) => {
      this.#update(groupVersion, served);
    });
  }

  /** Stops following changes; what is registered stays. */
  close(): void {
    this.#stop();
  }

  #update(groupVersion: GroupVersion, served: boolean): void {
    const { manager, mux } = this.#options;
    const { group, version } = groupVersion;
    this.#documents.clear();
    const versionPath = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
    // Documents of custom resources are no routes of the reference's router: they answer to any method.
    if (served && !this.#isHidden(groupVersion))
      this.#handle(versionPath, () => versionDocument(groupVersion, manager), {
        anyMethod: manager.hasQualifiedKinds(groupVersion),
        ofVersion: true,
      });
    else mux.remove(versionPath);
    if (group === '') return;
    const groupPath = `/apis/${group}`;
    if (manager.group(group) === undefined) mux.remove(groupPath);
    // Where somebody else serves the roots, that one's own group is a route of the reference's router.
    else
      this.#handle(groupPath, () => ({ kind: 'APIGroup', apiVersion: 'v1', ...manager.group(group) }), {
        anyMethod: this.#options.roots !== false,
        ofVersion: false,
      });
  }

  /** A version of custom resources in a group of built-in ones: in the reference its path is one of their routes. */
  #isHidden(groupVersion: GroupVersion): boolean {
    const { manager } = this.#options;
    return (
      manager.hasQualifiedKinds(groupVersion) &&
      [...manager.groupVersions()].some(
        (other) => other.group === groupVersion.group && !manager.hasQualifiedKinds(other),
      )
    );
  }

  #handle(path: string, content: () => unknown, kind: DocumentKind): void {
    this.#options.mux.handle(
      path,
      (request, response) => {
        this.#answer(request, response, { path, content, kind }).catch((error: unknown) => {
          writeError(request, response, error);
        });
      },
      { trailingSlash: true },
    );
  }

  async #answer(
    request: IncomingMessage,
    response: ServerResponse,
    {
      kind: { anyMethod, ofVersion },
      content,
      path,
    }: { readonly path: string; readonly content: () => unknown; readonly kind: DocumentKind },
  ): Promise<void> {
    if (!anyMethod) checkMethod(request);
    const cbor = ofVersion && !anyMethod && this.#options.cbor === true;
    await serveDocument(request, response, this.#document(path, content), {
      unrouted: anyMethod,
      mediaTypes: resourceMediaTypes({ cbor }),
    });
  }

  #document(name: string, content: () => unknown, tagged = false): DiscoveryDocument {
    let document = this.#documents.get(name);
    if (document === undefined) this.#documents.set(name, (document = discoveryDocument(content(), tagged)));
    return document;
  }

  #serveRoot(request: IncomingMessage, response: ServerResponse, core: boolean): void {
    this.#answerRoot(request, response, core).catch((error: unknown) => {
      writeError(request, response, error);
    });
  }

  async #answerRoot(request: IncomingMessage, response: ServerResponse, core: boolean): Promise<void> {
    if (core) checkMethod(request);
    const { manager, serverAddress } = this.#options;
    const output = negotiateAggregated(request);
    if (output !== undefined) {
      const content = (): unknown => ({
        kind: 'APIGroupDiscoveryList',
        apiVersion: 'apidiscovery.k8s.io/v2',
        metadata: {},
        items: manager.aggregated({ core }),
      });
      return serveAggregated(request, response, {
        document: this.#document(core ? 'core aggregated' : 'aggregated', content, true),
        output,
      });
    }
    if (core) {
      const versions = manager.group('')?.versions.map(({ version }) => version) ?? [];
      return serveDocument(
        request,
        response,
        discoveryDocument({
          kind: 'APIVersions',
          versions,
          serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: serverAddress() }],
        }),
      );
    }
    return serveDocument(
      request,
      response,
      this.#document('/apis', () => ({ kind: 'APIGroupList', apiVersion: 'v1', groups: manager.groups() })),
    );
  }
}

function versionDocument(groupVersion: GroupVersion, manager: DiscoveryManager): unknown {
  const { group, version } = groupVersion;
  const resources = manager.resources(groupVersion) ?? [];
  // The core group's document has always come without apiVersion.
  return {
    kind: 'APIResourceList',
    ...(group === '' ? {} : { apiVersion: 'v1' }),
    groupVersion: group === '' ? version : `${group}/${version}`,
    resources,
  };
}
