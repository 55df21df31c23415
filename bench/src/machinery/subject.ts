import { createFieldManager } from '@kubechain/apiserver/resources';
import type { FieldManager, RESTContext, RESTStorage, Strategy } from '@kubechain/apiserver/resources';
import {
  decodeJSON,
  nameIsDNSSubdomain,
  readYAML,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from '@kubechain/apimachinery';
import type { FieldError, GroupVersionKind, KindInfo, KubeObject, Scheme } from '@kubechain/apimachinery';
import type { Step } from './ratio.ts';

/** One kind whose writes are measured. */
export interface SubjectOptions {
  readonly name: string;
  readonly gvk: GroupVersionKind;
  readonly scheme: Scheme;
  readonly strategy: Strategy;
  readonly custom: boolean;
  /** As a controller sends it, about 3 KiB of JSON. */
  readonly object: KubeObject;
  /** Changes one field of a copy. */
  readonly change: (object: KubeObject) => void;
  /** Bytes to object and back, as the registry does it. */
  readonly parse: (stored: Uint8Array) => KubeObject;
  readonly encode: (object: KubeObject) => Uint8Array;
}

/**
 * What the ratios of the rows must keep below, for objects of about 3 KiB. Custom resources are walked by rules that no
 * type bears out.
 */
const bounds = { create: 8, customCreate: 10, update: 10, apply: 10 };
const metaRules = { namespaced: true, validateName: nameIsDNSSubdomain };
const context = {
  namespace: 'shop',
  request: { requestInfo: { subresource: '' }, addWarning: () => undefined },
} as unknown as RESTContext;
const clock = { now: () => 1_700_000_000_000 };

/** The writes of one kind without network and storage: what a request's body and the stored record go through. */
export class Subject {
  readonly #options: SubjectOptions;
  readonly #kind: KindInfo;
  readonly #manager: FieldManager;
  readonly #empty: KubeObject;

  constructor(options: SubjectOptions) {
    const { custom, gvk, scheme, strategy } = options;
    const kind = scheme.kind(gvk);
    if (kind === undefined) throw new TypeError(`${gvk.kind} is not known`);
    this.#options = options;
    this.#kind = kind;
    const storage = {
      kind: gvk.kind,
      namespaced: true,
      ...(strategy.resetFields === undefined ? {} : { resetFields: strategy.resetFields }),
    } as unknown as RESTStorage;
    this.#manager = createFieldManager({ scheme, storage, kind: gvk, subresource: '', clock, custom });
    this.#empty = { apiVersion: gvk.group === '' ? gvk.version : `${gvk.group}/${gvk.version}`, kind: gvk.kind };
  }

  /** The rows of this kind, and the unit that they are measured in. */
  async steps(): Promise<{ readonly unit: Step; readonly steps: readonly Step[]; readonly bytes: number }> {
    const { change, custom, name, object } = this.#options;
    const changed = structuredClone(object);
    change(changed);
    const [body, changedBody] = [Buffer.from(JSON.stringify(object)), Buffer.from(JSON.stringify(changed))];
    const created = this.#stored(await this.#create(body));
    const updated = JSON.parse(created.toString()) as KubeObject;
    change(updated);
    const updates = [created, Buffer.from(JSON.stringify(updated))];
    const applied = this.#stored(await this.#apply(undefined, body));
    const configurations = [body, changedBody];
    const text = body.toString();
    let turn = 0;
    const next = (bodies: readonly Buffer[]): Buffer => bodies[turn++ & 1] as Buffer;
    return {
      bytes: body.length,
      unit: { name: `${name}: JSON.parse and JSON.stringify`, run: () => JSON.stringify(JSON.parse(text)) },
      steps: [
        {
          name: `${name}: create`,
          run: () => this.#create(body),
          atMost: custom ? bounds.customCreate : bounds.create,
        },
        {
          name: `${name}: update, nothing changed`,
          run: () => this.#update(created, updates[0] as Buffer),
          atMost: bounds.update,
        },
        {
          name: `${name}: update, one field changed`,
          run: () => this.#update(created, next(updates)),
          atMost: bounds.update,
        },
        { name: `${name}: apply, creating`, run: () => this.#apply(undefined, body), atMost: bounds.apply },
        { name: `${name}: apply, nothing changed`, run: () => this.#apply(applied, body), atMost: bounds.apply },
        {
          name: `${name}: apply, one field changed`,
          run: () => this.#apply(applied, next(configurations)),
          atMost: bounds.apply,
        },
      ],
    };
  }

  async #create(body: Uint8Array): Promise<Uint8Array> {
    const object = await this.#manager.update(this.#empty, this.#decode(body), 'kube-controller-manager');
    await this.#validate(object);
    return this.#options.encode(object);
  }

  async #update(stored: Uint8Array, body: Uint8Array): Promise<Uint8Array> {
    const live = this.#options.parse(stored);
    const object = await this.#manager.update(live, this.#decode(body), 'kube-controller-manager');
    await this.#validateUpdate(object, live);
    return this.#options.encode(object);
  }

  async #apply(stored: Uint8Array | undefined, body: Uint8Array): Promise<Uint8Array> {
    const live = stored === undefined ? this.#empty : this.#options.parse(stored);
    const { value } = await readYAML(body);
    const object = await this.#manager.apply(live, value as KubeObject, { manager: 'argocd', force: false });
    if (stored === undefined) await this.#validate(object);
    else await this.#validateUpdate(object, live);
    return this.#options.encode(object);
  }

  #decode(body: Uint8Array): KubeObject {
    const { object } = decodeJSON(body, this.#kind, { strict: 'Warn', scheme: this.#options.scheme });
    this.#options.scheme.applyDefaults(object);
    return object;
  }

  async #validate(object: KubeObject): Promise<void> {
    refuse([
      ...validateObjectMeta(object.metadata ?? {}, metaRules),
      ...((await this.#options.strategy.validate?.(object, context)) ?? []),
    ]);
  }

  async #validateUpdate(object: KubeObject, old: KubeObject): Promise<void> {
    refuse([
      ...validateObjectMeta(object.metadata ?? {}, metaRules),
      ...validateObjectMetaUpdate(object.metadata ?? {}, old.metadata ?? {}),
      ...((await this.#options.strategy.validateUpdate?.(object, old, context)) ?? []),
    ]);
  }

  /** What a write would leave in the store, with what only the store gives. */
  #stored(written: Uint8Array): Buffer {
    const object = JSON.parse(Buffer.from(written).toString()) as KubeObject;
    object.metadata = {
      ...object.metadata,
      resourceVersion: '5',
      uid: '0c6c8a1b-6f0d-4c70-9f4b-2d3e6f1c2a9e',
      creationTimestamp: '2026-01-01T00:00:00Z',
    };
    return Buffer.from(this.#options.encode(object));
  }
}

function refuse(errors: readonly FieldError[]): void {
  if (errors.length > 0) throw new TypeError(errors.map(String).join('; '));
}
