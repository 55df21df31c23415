import { cloneJSON, ensureMeta } from '@kubechain/apimachinery';
import type { GroupVersionKind, JSONObject, KubeObject, Scheme, TimerClock } from '@kubechain/apimachinery';
import { createFieldManager, internalContext, subresourceStrategy, Turns } from '@kubechain/apiserver/resources';
import type { FieldManager, RESTContext, RESTStorage } from '@kubechain/apiserver/resources';
import type { HeldObject } from './held-object.ts';

/** What something is a subresource of. */
export interface SubresourceParent extends GroupVersionKind {
  readonly resource: string;
  readonly namespaced: boolean;
}

export interface SubresourceOptions {
  readonly parent: SubresourceParent;
  /** `scale` */
  readonly name: string;
  readonly storage: RESTStorage;
  /** Of the objects that it is a subresource of. */
  readonly scheme: Scheme;
  readonly stored: HeldObject;
  readonly clock: TimerClock;
  readonly custom: boolean;
}

/** A subresource with a kind of its own: `scale`, `binding`, `eviction`. */
export class Subresource {
  readonly #options: SubresourceOptions;
  readonly #manager: FieldManager;
  readonly name: string;
  /** Of what is written to it. */
  readonly bodyKind: GroupVersionKind;

  /** undefined: it cannot be written, or what is written to it is the object itself. */
  static of(options: SubresourceOptions): Subresource | undefined {
    const { storage } = options;
    const isWritten = storage.create !== undefined || storage.update !== undefined;
    return isWritten && subresourceStrategy(storage) === undefined ? new Subresource(options) : undefined;
  }

  private constructor(options: SubresourceOptions) {
    const { clock, custom, name, parent, scheme, storage } = options;
    this.#options = options;
    this.name = name;
    this.bodyKind = storage.groupVersionKind?.(parent) ?? { ...parent, kind: storage.kind };
    this.#manager = createFieldManager({ scheme, storage, kind: this.bodyKind, subresource: name, clock, custom });
  }

  /** Reads it, and writes a body to it, of an object that says nothing. */
  plain(body: KubeObject): () => Promise<unknown> {
    return this.#of(this.#object(), body);
  }

  /** The same of an object, with a body that says nothing but what it has to. */
  through(parent: KubeObject): () => Promise<unknown> {
    const { group, kind, version } = this.bodyKind;
    const { namespaced } = this.#options.parent;
    return this.#of(parent, {
      apiVersion: group === '' ? version : `${group}/${version}`,
      kind,
      metadata: { name: 'pumped', ...(namespaced ? { namespace: 'default' } : {}) },
      spec: { replicas: 2 },
      target: { kind: 'Node', name: 'node' },
    });
  }

  /** Reads it, and writes a body to it, of an object; that stays as it is. */
  #of(parent: KubeObject, body: KubeObject): () => Promise<unknown> {
    const { parent: resource, stored } = this.#options;
    const held = stored.encoded(resource, this.#asCreated(parent));
    return async () => {
      stored.hold(held);
      const reading = await settled(this.#read());
      await this.#write(cloneJSON(body as JSONObject) as KubeObject);
      return reading;
    };
  }

  /** With what no pod and no workload is created without: containers, and a selector. */
  #asCreated(object: KubeObject): KubeObject {
    const schema = this.#options.scheme.kind(this.#options.parent)?.schema;
    const fields = schema?.kind === 'struct' ? schema.fields.get('spec')?.schema : undefined;
    if (fields?.kind !== 'struct') return object;
    const spec = object['spec'] as { readonly template?: { readonly spec?: object } } | undefined;
    const containers = [{ name: 'c', image: 'i' }];
    if (fields.fields.has('containers')) return { ...object, spec: { containers, ...spec } };
    const selector = fields.fields.get('selector')?.schema;
    if (selector === undefined || !fields.fields.has('template')) return object;
    const labels = { a: 'b' };
    const template = { metadata: { labels }, ...spec?.template, spec: { containers, ...spec?.template?.spec } };
    const any = selector.kind === 'map' ? labels : { matchLabels: labels };
    const whole: KubeObject = { ...object, spec: { selector: any, ...spec, template } };
    const created = cloneJSON(whole as JSONObject) as KubeObject;
    this.#options.scheme.applyDefaults(created);
    return created;
  }

  #object(): KubeObject {
    const { group, kind, namespaced, version } = this.#options.parent;
    return {
      apiVersion: group === '' ? version : `${group}/${version}`,
      kind,
      metadata: { name: 'pumped', uid: 'u', ...(namespaced ? { namespace: 'default' } : {}) },
    };
  }

  async #read(): Promise<unknown> {
    return this.#options.storage.get?.(this.#context(), 'pumped', {});
  }

  async #write(body: KubeObject): Promise<unknown> {
    const { storage } = this.#options;
    const options = { dryRun: true, fieldManager: '', fieldValidation: '', forceAllowCreate: false };
    const accept = (): void => undefined;
    if (storage.update === undefined)
      return storage.create?.(this.#context(), 'pumped', body, { ...options, validate: accept });
    const updatedObject = (_context: RESTContext, live: KubeObject): Promise<KubeObject> => {
      ensureMeta(body).resourceVersion = live.metadata?.resourceVersion ?? '';
      return Promise.resolve(this.#manager.update(live, body, 'somebody'));
    };
    const info = { preconditions: undefined, updatedObject };
    return storage.update(this.#context(), 'pumped', info, {
      ...options,
      validateCreate: accept,
      validateUpdate: accept,
    });
  }

  /** As of a request; the turns are its own. */
  #context(): RESTContext {
    const { group, namespaced, resource, version } = this.#options.parent;
    const { namespace, request } = internalContext({
      groupResource: { group, resource },
      namespace: namespaced ? 'default' : '',
    });
    const requestInfo = { ...request.requestInfo, apiVersion: version, subresource: this.name };
    return { namespace, request: { ...request, requestInfo }, turns: new Turns() };
  }
}

/** What cannot be read can be written: a custom object without replicas. */
async function settled(promise: Promise<unknown>): Promise<unknown> {
  const [outcome] = await Promise.allSettled([promise]);
  return outcome;
}
