import { JSONScanner, builtinScheme, decodeProtobuf, isProtobuf } from '@kubechain/apimachinery';
import type { GroupVersion, KubeObject } from '@kubechain/apimachinery';
import { ObjectInformer } from '@kubechain/apiserver/resources';
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
    const { decorator, informerEnds, keyRoot, resourcePrefix } = restOptions.getRESTOptions(crds);
    this.#storage = decorator({ groupResource: crds, resourcePrefix, namespaced: false, codec: versionsCodec() });
    this.#informer = new ObjectInformer({
      storage: this.#storage,
      keyRoot,
      informerEnds,
      transform: (record) => servedBy(record.object()),
      onError,
    });
    this.#informer.onChange((change) => {
      const before = change.previous ?? [];
      const after = change.kind === 'set' ? change.value : [];
      for (const name of after) this.#count(name, 1);
      for (const name of before) this.#count(name, -1);
      for (const name of new Set([...before, ...after]))
        if (before.includes(name) !== after.includes(name))
          for (const listener of this.#listeners) listener(parse(name));
    });
  }

  /** Calls `listener` for each group version that a CRD begins or ceases to serve, from now on. */
  onChange(listener: (groupVersion: GroupVersion) => void): void {
    this.#listeners.push(listener);
  }

  start(): void {
    this.#informer.start();
  }
  waitForSync(signal: AbortSignal): Promise<void> {
    return this.#informer.waitForSync(signal);
  }

  serves({ group, version }: GroupVersion): boolean {
    return this.#counts.has(`${group}/${version}`);
  }

  *groupVersions(): Generator<GroupVersion> {
    for (const name of this.#counts.keys()) yield parse(name);
  }

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

interface Spec {
  readonly group?: string;
  readonly version?: string;
  readonly versions?: readonly { readonly name?: string; readonly served?: boolean }[] | null;
}

/** v1beta1 may name its only version beside the list. */
function servedBy(crd: KubeObject): Served {
  const { group = '', version, versions } = (crd['spec'] ?? {}) as Spec;
  const served =
    versions?.filter((each) => each.served === true).map(({ name = '' }) => name) ??
    (version === undefined ? [] : [version]);
  return served.map((name) => `${group}/${name}`);
}

/** Reads a CRD's group and versions, in any stored form; writes nothing. */
function versionsCodec(): ResourceCodec {
  return createResourceCodec({
    decodeObject: (stored) => {
      if (!isProtobuf(stored)) return scanCRD(stored);
      const { metadata, spec } = decodeProtobuf(stored, undefined, { scheme: builtinScheme() }).object as KubeObject & {
        readonly spec?: Spec;
      };
      return leanCRD(metadata?.name ?? '', spec ?? {});
    },
    encodeObject: () => {
      throw new TypeError('CRDs are only read here');
    },
    attributes: ({ metadata }) => ({ name: metadata?.name ?? '', namespace: '', labels: undefined, fields: {} }),
  });
}

function leanCRD(name: string, { group, version, versions }: Spec): KubeObject {
  return {
    metadata: { name },
    spec: { group, version, versions: versions?.map((each) => ({ name: each.name, served: each.served })) },
  };
}

/** Schemas are large: they are not made objects of. @throws ScanError */
function scanCRD(stored: Uint8Array): KubeObject {
  const json = new JSONScanner(stored);
  let name = '';
  const spec: { -readonly [K in keyof Spec]: Spec[K] } = {};
  json.object((member) => {
    switch (member) {
      case 'metadata':
        json.object((key) => {
          if (key !== 'name') return false;
          name = json.string();
          return true;
        });
        return true;
      case 'spec':
        json.object((key) => scanSpec(json, key, spec));
        return true;
      default:
        return false;
    }
  });
  return leanCRD(name, spec);
}

function scanSpec(json: JSONScanner, key: string, spec: { -readonly [K in keyof Spec]: Spec[K] }): boolean {
  switch (key) {
    case 'group':
    case 'version':
      spec[key] = json.string();
      return true;
    case 'versions': {
      const versions: { name?: string; served?: boolean }[] = [];
      json.list(() => {
        const version: { name?: string; served?: boolean } = {};
        versions.push(version);
        json.object((member) => {
          if (member === 'name') version.name = json.string();
          else if (member === 'served') version.served = json.isTrue();
          else return false;
          return true;
        });
      });
      spec.versions = versions;
      return true;
    }
    default:
      return false;
  }
}
