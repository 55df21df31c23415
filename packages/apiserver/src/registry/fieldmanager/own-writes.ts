import { formatGroupVersion, gvkOf } from '@kubechain/apimachinery';
import type { Clock, KubeObject, Scheme } from '@kubechain/apimachinery';
import { RegistryError } from '../registry-error.ts';
import { systemEnvironment } from '../generic/store-environment.ts';
import type { RESTContext, RESTResult, RESTStorage } from '../rest/storage.ts';
import type { FieldManager } from './field-manager.ts';
import { createFieldManager } from './managed-fields.ts';

export interface OwnWritesOptions {
  /** Knows the objects' kind, and its defaults. */
  readonly scheme: Scheme;
  /** Default: the system's clock. */
  readonly clock?: Clock;
  /** Who owns the fields. Default `kube-apiserver`, as the reference's clients of itself are called. */
  readonly manager?: string;
  /** Name of the subresource that the storage is of. Default: the object itself. */
  readonly subresource?: string;
}

const accept = (): void => {
  /* the server's own objects need no admission */
};

/**
 * Writes of the server itself (bootstrap hooks, controllers inside it) with what the endpoints do besides storage:
 * defaults are set, and managedFields say whose fields they are. The reference makes these writes through its own
 * API. Objects are private to the call and carry apiVersion and kind in the storage's memory version.
 */
export class OwnWrites {
  readonly #storage: RESTStorage;
  readonly #scheme: Scheme;
  readonly #clock: Clock;
  readonly #manager: string;
  readonly #subresource: string;
  #fields: FieldManager | undefined;

  constructor(storage: RESTStorage, options: OwnWritesOptions) {
    this.#storage = storage;
    this.#scheme = options.scheme;
    this.#clock = options.clock ?? systemEnvironment.clock;
    this.#manager = options.manager ?? 'kube-apiserver';
    this.#subresource = options.subresource ?? '';
  }

  /** @throws StatusError AlreadyExists, Invalid … */
  async create(context: RESTContext, object: KubeObject): Promise<RESTResult> {
    const { storage, fields } = this.#for(object);
    if (storage.create === undefined) throw new RegistryError('storage cannot create');
    this.#scheme.applyDefaults(object);
    const owned = await fields.update(emptyOf(object), object, this.#manager);
    return storage.create(context, owned.metadata?.name ?? '', owned, {
      dryRun: false,
      fieldManager: this.#manager,
      fieldValidation: 'Ignore',
      validate: accept,
    });
  }

  /**
   * Replaces what is there; a resourceVersion in `object` is a precondition. @throws StatusError NotFound, Conflict,
   * Invalid …
   */
  async update(context: RESTContext, object: KubeObject): Promise<RESTResult> {
    const { storage, fields } = this.#for(object);
    if (storage.update === undefined) throw new RegistryError('storage cannot update');
    this.#scheme.applyDefaults(object);
    const info = {
      preconditions: undefined,
      updatedObject: (_context: RESTContext, old: KubeObject) =>
        fields.update(old, structuredClone(object), this.#manager),
    };
    const { result } = await storage.update(context, object.metadata?.name ?? '', info, {
      dryRun: false,
      fieldManager: this.#manager,
      fieldValidation: 'Ignore',
      forceAllowCreate: false,
      validateCreate: accept,
      validateUpdate: accept,
    });
    return result;
  }

  /**
   * Applies a configuration to what is there, whoever owns its fields (server-side apply with force). @throws
   * StatusError NotFound, Invalid …
   */
  async apply(context: RESTContext, configuration: KubeObject): Promise<RESTResult> {
    const { storage, fields } = this.#for(configuration);
    if (storage.update === undefined) throw new RegistryError('storage cannot update');
    const info = {
      preconditions: undefined,
      updatedObject: (_context: RESTContext, old: KubeObject) =>
        fields.apply(old, structuredClone(configuration), { manager: this.#manager, force: true }),
    };
    const { result } = await storage.update(context, configuration.metadata?.name ?? '', info, {
      dryRun: false,
      fieldManager: this.#manager,
      fieldValidation: 'Ignore',
      forceAllowCreate: false,
      validateCreate: accept,
      validateUpdate: accept,
    });
    return result;
  }

  #for(object: KubeObject): { readonly storage: RESTStorage; readonly fields: FieldManager } {
    this.#fields ??= createFieldManager({
      scheme: this.#scheme,
      storage: this.#storage,
      kind: gvkOf(object),
      subresource: this.#subresource,
      clock: this.#clock,
      custom: false,
    });
    return { storage: this.#storage, fields: this.#fields };
  }
}

function emptyOf(object: KubeObject): KubeObject {
  const gvk = gvkOf(object);
  return { apiVersion: formatGroupVersion(gvk), kind: gvk.kind };
}
