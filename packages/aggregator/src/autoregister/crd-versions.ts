import { builtinScheme, decodeProtobuf, isProtobuf } from '@kubechain/apimachinery';
import type { GroupVersion, KubeObject } from '@kubechain/apimachinery';
import { ObjectInformer } from '@kubechain/apiserver';
import { createResourceCodec } from '@kubechain/shared-storage';
import type { RESTOptionsGetter, ResourceCodec, StorageInterface } from '@kubechain/shared-storage';

const crds = { group: 'apiextensions.k8s.io', resource: 'customresourcedefinitions' };

/** What a CRD serves: `group/version` each. */
type Served = readonly string[];

/**
 * The group versions that stored CRDs serve, whether their names are accepted or not (what kube-apiserver's
 * crdregistration controller looks at, 1.36). Keeps nothing else of a CRD: schemas are not even turned into records.
 */
export class CRDVersions {
  readonly #storage: StorageInterface;
  readonly #informer: ObjectInformer<Served>;
  /** group/version → number of CRDs that serve it. */
  readonly #counts = new Map<string, number>();
  readonly #listeners: ((groupVersion: GroupVersion) => void)[] = [];

  /** `restOptions` without a cache. */
  constructor(restOptions: RESTOptionsGetter, onError: (error: unknown) => void) {
    const { decorator, keyRoot, resourcePrefix } = restOptions.getRESTOptions(crds);
    this.#storage = decorator({ groupResource: crds, resourcePrefix, namespaced: false, codec: versionsCodec() });
    this.#informer = new ObjectInformer({ storage: this.#storage, keyRoot, transform: (record) => servedBy(record.object()), onError });
    this.#informer.onChange((change) => {
      const before = change.previous ?? [];
      const after = change.kind === 'set' ? change.value : [];
      for (const name of after) this.#count(name, 1);
      for (const name of before) this.#count(name, -1);
      for (const name of new Set([...before, ...after])) if (before.includes(name) !== after.includes(name)) for (const listener of this.#listeners) listener(parse(name));
    });
  }

  /** Calls `listener` for each group version that a CRD begins or ceases to serve, from now on. */
  onChange(listener: (groupVersion: GroupVersion) => void): void { this.#listeners.push(listener); }

  start(): void { this.#informer.start(); }
  waitForSync(signal: AbortSignal): Promise<void> { return this.#informer.waitForSync(signal); }

  serves({ group, version }: GroupVersion): boolean { return this.#counts.has(`${group}/${version}`); }

  *groupVersions(): Generator<GroupVersion> { for (const name of this.#counts.keys()) yield parse(name); }

  async stop(): Promise<void> {
    this.#informer.stop();
    await this.#storage.close();
  }

  #count(name: string, change: number): void {
    const count = (this.#counts.get(name) ?? 0) + change;
    if (count === 0) this.#counts.delete(name);
    else this.#counts.set(name, count);
  }
}

function parse(name: string): GroupVersion {
  const [group = '', version = ''] = name.split('/');
  return { group, version };
}

interface Spec { readonly group?: string; readonly version?: string; readonly versions?: readonly { readonly name?: string; readonly served?: boolean }[] | null }

/** v1beta1 may name its only version beside the list. */
function servedBy(crd: KubeObject): Served {
  const { group = '', version, versions } = (crd['spec'] ?? {}) as Spec;
  const served = versions?.filter((each) => each.served === true).map(({ name = '' }) => name) ?? (version === undefined ? [] : [version]);
  return served.map((name) => `${group}/${name}`);
}

/** Reads a CRD's group and versions, in any stored form; writes nothing. */
function versionsCodec(): ResourceCodec {
  const whole = (stored: Uint8Array): KubeObject => (isProtobuf(stored) ? decodeProtobuf(stored, undefined, { scheme: builtinScheme() }).object : JSON.parse(Buffer.from(stored).toString('utf8')) as KubeObject);
  return createResourceCodec({
    decodeObject: (stored) => {
      const { metadata, spec } = whole(stored) as KubeObject & { readonly spec?: Spec };
      const { group, version, versions } = spec ?? {};
      return { metadata: { name: metadata?.name ?? '' }, spec: { group, version, versions: versions?.map(({ name, served }) => ({ name, served })) } };
    },
    encodeObject: () => { throw new TypeError('CRDs are only read here'); },
    attributes: ({ metadata }) => ({ name: metadata?.name ?? '', namespace: '', labels: undefined, fields: {} }),
  });
}
