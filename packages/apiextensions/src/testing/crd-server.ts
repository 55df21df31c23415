import { systemClock, systemRandomness } from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import { ResourceServer } from '@kubechain/apiserver/testing';
import type { CRDControllerOptions } from '../crd/crd-controller.ts';
import type { Store } from '@kubechain/apiserver/resources';
import type { StorageInterface, Watch } from '@kubechain/shared-storage';
import { objectRules } from '../cel/object-rules.ts';
import { CRDController } from '../crd/crd-controller.ts';
import { createCRDRegistry } from '../crd/crd-rest.ts';
import { conditionOf } from '../definition/crd-types.ts';
import type { CustomResourceDefinition } from '../definition/crd-types.ts';
import { noneConverter } from '../conversion/object-converter.ts';

const group = 'apiextensions.k8s.io';
const clock = { ...systemClock, now: () => Date.now() };

export interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
  /** The header of that name, where there is one. */
  readonly warning?: string;
}

/** A structural CRD of group x.io, with whatever else its spec should say. */
export function crdOf(plural: string, spec: object = {}, metadata: object = {}): KubeObject {
  const kind = plural.charAt(0).toUpperCase() + plural.slice(1, -1);
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  return {
    apiVersion: `${group}/v1`,
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.x.io`, ...metadata },
    spec: {
      group: 'x.io',
      scope: 'Namespaced',
      names: { plural, singular: plural.slice(0, -1), kind, listKind: `${kind}List` },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
      ...spec,
    },
  };
}

export interface CRDServerOptions {
  /** What stands before the storage of custom resources. */
  readonly wrap?: (storage: StorageInterface) => StorageInterface;
  /** Feature gate CBORServingAndStorage. Default false. */
  readonly cbor?: boolean;
  readonly deletion?: NonNullable<CRDControllerOptions['deletion']>;
}

/** CRDs and their objects over memory, behind plain HTTP: for specs of what the server makes of CRDs. */
export class CRDServer {
  readonly #server: ResourceServer;
  readonly #controller: CRDController;
  readonly #events: { readonly type: string; readonly crd: CustomResourceDefinition }[] = [];
  readonly store: Store;
  #watch: Watch | undefined;
  #url = '';

  constructor({ cbor = false, wrap = (storage) => storage, deletion = {} }: CRDServerOptions = {}) {
    this.#server = new ResourceServer({ cbor });
    const { restOptions } = this.#server;
    const wrapped: typeof restOptions = {
      getRESTOptions: (resource, key) => {
        const options = restOptions.getRESTOptions(resource, key);
        return resource.group === group
          ? options
          : { ...options, decorator: (config) => wrap(options.decorator(config)) };
      },
    };
    this.#controller = new CRDController({
      deletion,
      installer: this.#server.installer,
      clock,
      customResources: {
        cbor,
        restOptions: wrapped,
        environment: { clock, ...systemRandomness },
        webhookConverter: () => noneConverter,
        rules: { extraRules: objectRules },
      },
    });
    const crds = createCRDRegistry(wrapped, { clock, ...systemRandomness }, this.#controller);
    this.store = crds.store;
    const { scheme } = crds.store.spec;
    this.#server.installer.installResources(
      [...crds.endpoints].map(([path, storage]) => ({ group, version: 'v1', path, storage, scheme })),
    );
  }

  async start(): Promise<void> {
    this.#watch = await this.store.storage.watch(
      `${this.store.keyRoot}/`,
      { resourceVersion: '0', recursive: true },
      {
        event: (event) => {
          if (event.type !== 'BOOKMARK' && event.type !== 'ERROR')
            this.#events.push({ type: event.type, crd: event.record.object() as CustomResourceDefinition });
          return true;
        },
        end: () => undefined,
      },
    );
    await this.#controller.start(this.store, new AbortController().signal);
    this.#url = await this.#server.listen();
  }

  async stop(): Promise<void> {
    this.#watch?.stop();
    await this.#controller.stop();
    await this.#server.close();
  }

  /** Writes a CRD past the endpoints, as an older version may have. */
  async plant(crd: KubeObject): Promise<void> {
    await this.store.storage.create(`${this.store.keyRoot}/${crd.metadata?.name ?? ''}`, {
      ...crd,
      metadata: { uid: `uid-${crd.metadata?.name ?? ''}`, generation: 1, ...crd.metadata },
    });
  }

  ask(method: string, path: string, body?: unknown, contentType?: string): Promise<Answer> {
    return this.send(
      method,
      path,
      body === undefined ? undefined : JSON.stringify(body),
      contentType === undefined ? {} : { contentType },
    );
  }

  /** As {@link ask}, with a body as it is. */
  async send(
    method: string,
    path: string,
    body: string | undefined,
    {
      accept = '*/*',
      contentType = 'application/json',
    }: { readonly accept?: string; readonly contentType?: string } = {},
  ): Promise<Answer> {
    const response = await fetch(this.#url + path, {
      method,
      headers: { accept, 'content-type': contentType },
      ...(body === undefined ? {} : { body }),
    });
    const told = (await response.json()) as Record<string, unknown>;
    const warning = response.headers.get('warning');
    return { status: response.status, body: told, ...(warning === null ? {} : { warning }) };
  }

  /** POST, PATCH (merge) or DELETE of a CRD. */
  create(crd: KubeObject): Promise<Answer> {
    return this.ask('POST', `/apis/${group}/v1/customresourcedefinitions`, crd);
  }
  patch(plural: string, body: unknown): Promise<Answer> {
    return this.ask(
      'PATCH',
      `/apis/${group}/v1/customresourcedefinitions/${plural}.x.io`,
      body,
      'application/merge-patch+json',
    );
  }
  patchStatus(plural: string, body: unknown): Promise<Answer> {
    return this.ask(
      'PATCH',
      `/apis/${group}/v1/customresourcedefinitions/${plural}.x.io/status`,
      body,
      'application/merge-patch+json',
    );
  }
  delete(plural: string): Promise<Answer> {
    return this.ask('DELETE', `/apis/${group}/v1/customresourcedefinitions/${plural}.x.io`);
  }

  /** The CRD as it is stored; undefined when it is not. */
  async get(plural: string): Promise<CustomResourceDefinition | undefined> {
    return (
      await this.store.storage.get(`${this.store.keyRoot}/${plural}.x.io`, { ignoreNotFound: true })
    )?.object() as CustomResourceDefinition | undefined;
  }

  /** `True InitialNamesAccepted`; undefined without such a condition. */
  async condition(plural: string, type: string): Promise<string | undefined> {
    const crd = await this.get(plural);
    const condition = crd === undefined ? undefined : conditionOf(crd, type);
    return condition === undefined ? undefined : `${condition.status} ${condition.reason ?? ''}`;
  }

  /** Events of CRDs so far: `ADDED`, or `MODIFIED NamesAccepted=True/NoConflicts …`. */
  events(plural: string): string[] {
    return this.#events
      .filter(({ crd }) => crd.metadata.name === `${plural}.x.io`)
      .map(({ crd, type }) =>
        [
          type,
          ...(crd.status?.conditions ?? []).map(
            (condition) => `${condition.type}=${condition.status}/${condition.reason ?? ''}`,
          ),
        ].join(' '),
      );
  }

  /** What conditions with a reason have said so far. */
  messages(plural: string, reason: string): string[] {
    const conditions = this.#events
      .filter(({ crd }) => crd.metadata.name === `${plural}.x.io`)
      .flatMap(({ crd }) => crd.status?.conditions ?? []);
    return conditions.filter((condition) => condition.reason === reason).map(({ message = '' }) => message);
  }

  /** Waits until `done` says so. */
  async until(done: () => Promise<boolean> | boolean, what: string): Promise<void> {
    for (let i = 0; i < 400; i++) {
      if (await done()) return;
      await new Promise((resolve) => {
        setTimeout(resolve, 5);
      });
    }
    throw new Error(`never: ${what}`);
  }
}
