import type { ResourceOfKind } from '../resource-of-kind.ts';
import { builtinResources } from '@kubechain/apimachinery';
import type { GroupVersionKind, KubeObject, LabelSelector } from '@kubechain/apimachinery';
import type { ObjectRecord } from '@kubechain/shared-storage';
import { ObjectInformer } from '../../informers/object-informer.ts';
import type { ResourceStorage, ResourceStorages } from '../../informers/resource-storage.ts';

/** How long a request waits for params that are followed since a moment ago. */
const syncTimeoutMs = 1_000;

/** The objects of one paramKind, followed from storage. */
export interface ParamSource {
  readonly namespaced: boolean;
  /** False when they are not all known within a second. */
  ready(): Promise<boolean>;
  /** As plain JSON; `namespace` is '' for kinds of the cluster. */
  get(namespace: string, name: string): object | undefined;
  /** Sorted by key. */
  list(namespace: string, selector: LabelSelector): readonly object[];
}

/** Finds what a paramKind names. */
export interface ParamSources {
  find(kind: GroupVersionKind): Promise<ParamSource | undefined>;
}

export interface FollowedParamsOptions {
  /** Built-in resources. */
  readonly storages: ResourceStorages;
  /** CRDs and custom resources, as they are stored. */
  readonly customStorages: ResourceStorages;
  readonly onError: (error: unknown) => void;
}

interface CustomResource {
  readonly group: string;
  readonly plural: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly versions: readonly string[];
}

/**
 * Follows the objects that policies are given as params: each kind from when a policy first asks for it until none
 * does.
 * Custom resources are read as they are stored: with the version that was asked for, but not converted.
 */
export class FollowedParams implements ParamSources {
  readonly #options: FollowedParamsOptions;
  readonly #followed = new Map<string, FollowedKind>();
  #definitions: ObjectInformer<CustomResource> | undefined;

  constructor(options: FollowedParamsOptions) {
    this.#options = options;
  }

  async find(kind: GroupVersionKind): Promise<ParamSource | undefined> {
    const known = this.#followed.get(keyOf(kind));
    if (known !== undefined) return known;
    const builtIn = builtInOf(kind);
    if (builtIn !== undefined)
      return this.#follow(kind, {
        namespaced: builtIn.namespaced,
        stored: this.#options.storages.get(builtIn.group, builtIn.resource),
      });
    const custom = await this.#customResource(kind);
    return custom === undefined
      ? undefined
      : (this.#followed.get(keyOf(kind)) ??
          this.#follow(kind, {
            namespaced: custom.namespaced,
            stored: this.#options.customStorages.get(custom.group, custom.plural),
          }));
  }

  /** The resource of a kind; undefined for unknown ones. */
  async resourceOf(kind: GroupVersionKind): Promise<ResourceOfKind | undefined> {
    const builtIn = builtInOf(kind);
    if (builtIn !== undefined) return builtIn;
    const custom = await this.#customResource(kind);
    return custom === undefined ? undefined : { resource: custom.plural, namespaced: custom.namespaced };
  }

  /** Follows no other kinds any longer. */
  retain(kinds: readonly GroupVersionKind[]): void {
    const wanted = new Set(kinds.map(keyOf));
    for (const key of this.#followed.keys()) if (!wanted.has(key)) this.#forget(key);
  }

  stop(): void {
    this.retain([]);
    this.#definitions?.stop();
  }

  #follow(
    kind: GroupVersionKind,
    resource: { readonly namespaced: boolean; readonly stored: ResourceStorage },
  ): FollowedKind {
    const followed = new FollowedKind(kind, { ...resource, onError: this.#options.onError });
    this.#followed.set(keyOf(kind), followed);
    return followed;
  }

  #forget(key: string): void {
    this.#followed.get(key)?.stop();
    this.#followed.delete(key);
  }

  async #customResource({ group, kind, version }: GroupVersionKind): Promise<CustomResource | undefined> {
    const definitions = (this.#definitions ??= this.#followDefinitions());
    await synced(definitions);
    for (const candidate of definitions.values())
      if (candidate.group === group && candidate.kind === kind && candidate.versions.includes(version))
        return candidate;
    return undefined;
  }

  #followDefinitions(): ObjectInformer<CustomResource> {
    const definitions = new ObjectInformer<CustomResource>({
      ...this.#options.customStorages.get('apiextensions.k8s.io', 'customresourcedefinitions'),
      onError: this.#options.onError,
      transform: (record) => customResourceOf(record.object()),
    });
    // A definition that changes may serve other versions, or none.
    definitions.onChange(({ previous }) => {
      for (const version of previous?.versions ?? [])
        this.#forget(keyOf({ group: previous?.group ?? '', version, kind: previous?.kind ?? '' }));
    });
    definitions.start();
    return definitions;
  }
}

function builtInOf({
  group,
  kind,
  version,
}: GroupVersionKind): ReturnType<typeof builtinResources>[number] | undefined {
  return builtinResources().find(
    (row) => row.group === group && row.version === version && row.kind === kind && row.storage !== undefined,
  );
}

function customResourceOf(object: KubeObject): CustomResource {
  const { group, names, scope, versions } = object['spec'] as {
    readonly group: string;
    readonly scope: string;
    readonly names: { readonly plural: string; readonly kind: string };
    readonly versions: readonly { readonly name: string; readonly served: boolean }[];
  };
  return {
    group,
    plural: names.plural,
    kind: names.kind,
    namespaced: scope === 'Namespaced',
    versions: versions.filter(({ served }) => served).map(({ name }) => name),
  };
}

function keyOf({ group, kind, version }: GroupVersionKind): string {
  return `${group}/${version}/${kind}`;
}

async function synced(
  informer: ObjectInformer<never> | ObjectInformer<ObjectRecord> | ObjectInformer<CustomResource>,
): Promise<boolean> {
  if (!informer.hasSynced) await informer.waitForSync(AbortSignal.timeout(syncTimeoutMs));
  return informer.hasSynced;
}

class FollowedKind implements ParamSource {
  readonly namespaced: boolean;
  readonly #type: { readonly apiVersion: string; readonly kind: string };
  readonly #informer: ObjectInformer<ObjectRecord>;

  constructor(
    { group, kind, version }: GroupVersionKind,
    {
      namespaced,
      onError,
      stored,
    }: { readonly namespaced: boolean; readonly stored: ResourceStorage; readonly onError: (error: unknown) => void },
  ) {
    this.namespaced = namespaced;
    this.#type = { apiVersion: group === '' ? version : `${group}/${version}`, kind };
    this.#informer = new ObjectInformer<ObjectRecord>({ ...stored, onError, transform: (record) => record });
    this.#informer.start();
  }

  ready(): Promise<boolean> {
    return synced(this.#informer);
  }
  stop(): void {
    this.#informer.stop();
  }

  get(namespace: string, name: string): object | undefined {
    const record = this.#informer.get(namespace === '' ? name : `${namespace}/${name}`);
    return record === undefined ? undefined : this.#show(record);
  }

  list(namespace: string, selector: LabelSelector): readonly object[] {
    const found = [...this.#informer.values()].filter(
      ({ attributes }) =>
        (namespace === '' || attributes.namespace === namespace) && selector.matches(attributes.labels),
    );
    return found.sort((a, b) => (a.key < b.key ? -1 : 1)).map((record) => this.#show(record));
  }

  #show(record: ObjectRecord): object {
    return { ...record.object(), ...this.#type };
  }
}
