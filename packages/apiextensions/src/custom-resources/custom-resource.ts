import { Store, createScaleStorage, createStatusStorage, storageVersionHash } from '@kubechain/apiserver/resources';
import type {
  APIResource,
  CustomResourceOpenAPI,
  InstalledResource,
  LazyResource,
  RESTStorage,
  ResourceSpec,
  ScaleAccess,
  StoreEnvironment,
} from '@kubechain/apiserver/resources';
import { builtinRelease, compareVersions, internalError } from '@kubechain/apimachinery';
import type { KubeObject, Scheme, Timer, TimerClock } from '@kubechain/apimachinery';
import type { ObjectAttributes, RESTOptions, RESTOptionsGetter, StorageInterface } from '@kubechain/shared-storage';
import { noneConverter } from '../conversion/object-converter.ts';
import type { ObjectConverter } from '../conversion/object-converter.ts';
import { knownFormats } from '../schema/known-formats.ts';
import { storageVersionOf } from '../definition/crd-types.ts';
import type { KnownCRD } from '../definition/known-crds.ts';
import type { CRDNames, CRDVersion, CustomResourceDefinition, ScalePaths } from '../definition/crd-types.ts';
import { hasBlankCABundle, hasInvalidCABundle } from '../validation/establishing.ts';
import { customCodec } from './custom-codec.ts';
import { customScheme } from './custom-scheme.ts';
import { ForbidCreate } from './forbid-create.ts';
import { nestedInteger, nestedString, setNested, splitPath } from './nested-value.ts';
import { publishedOpenAPI } from './published-open-api.ts';
import type { OrderedSink } from './ordered-sink.ts';
import { printerColumns } from './printer-columns.ts';
import { selectableFields } from './selectable-fields.ts';
import type { FieldReaders } from './selectable-fields.ts';
import { customStatusStrategy, customStrategy } from './strategy.ts';
import type { CustomRules } from './strategy.ts';
import { VersionedStorage } from './versioned-storage.ts';
import type { PartsInUse } from './parts-in-use.ts';
import { VersionSchemas } from './version-schema.ts';
import type { VersionSchema } from './version-schema.ts';

/** What serving any CRD's objects needs. */
export interface CustomResourceOptions {
  readonly restOptions: RESTOptionsGetter;
  readonly environment: StoreEnvironment & { readonly clock: TimerClock };
  /** Makes the converter of a CRD with strategy Webhook. */
  readonly webhookConverter: (crd: CustomResourceDefinition) => ObjectConverter;
  readonly rules: CustomRules;
  /** Objects are stored as CBOR (feature gate CBORServingAndStorage). Default: as JSON. */
  readonly cbor?: boolean;
  /** What is made of schemas, of all CRDs. */
  readonly schemasInUse: PartsInUse;
}

/** How long requests may go on after their CRD has changed: the reference's request timeout. */
const retirementMs = 60_000;

const mainVerbs = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];
/** What discovery offers while the CRD is being deleted. */
const terminatingVerbs = ['delete', 'deletecollection', 'get', 'list', 'watch'];
const subresourceVerbs = ['get', 'patch', 'update'];

/**
 * One CRD as it is served: its routes and discovery entries at once, everything else (schemas, storage, handlers)
 * when the first request for one of its objects comes. A changed CRD gets a new one; this one is closed then.
 */
export class ServedCustomResource {
  readonly #known: KnownCRD;
  /** As it was when it came into service. */
  readonly #crd: CustomResourceDefinition;
  readonly #options: CustomResourceOptions;
  readonly #stores = new Map<string, Store>();
  #schemas: VersionSchemas | undefined;
  #converter: ObjectConverter | undefined;
  #scheme: Scheme | undefined;
  #rest: RESTOptions | undefined;
  #stored: StorageInterface | undefined;
  readonly #watches = new Set<OrderedSink>();
  #listed = false;
  #terminating = false;
  #closed = false;
  #retired: Timer | undefined;

  constructor(known: KnownCRD, options: CustomResourceOptions) {
    this.#known = known;
    this.#crd = known.crd;
    this.#options = options;
  }

  get crd(): CustomResourceDefinition {
    return this.#crd;
  }

  /**
   * Whether it is in discovery, and whether creating is refused; returns whether that changes what {@link resources}
   * says.
   */
  setState({ listed, terminating }: { readonly listed: boolean; readonly terminating: boolean }): boolean {
    const changed = this.#listed !== listed || this.#terminating !== terminating;
    this.#listed = listed;
    this.#terminating = terminating;
    return changed;
  }

  /**
   * What a CRD lacks to be served although its names are accepted is found when somebody asks for its objects, as in
   * the
   * reference (getOrCreateServingInfoFor).
   * @throws StatusError InternalError
   */
  ensureServable(): void {
    const { plural = '', singular = '', kind = '', listKind = '' } = this.#crd.status?.acceptedNames ?? {};
    const unnamed = [plural, singular, kind, listKind].includes('');
    if (
      unnamed ||
      (this.#crd.spec.conversion?.strategy === 'Webhook' &&
        !hasBlankCABundle(this.#crd) &&
        hasInvalidCABundle(this.#crd))
    )
      throw internalError('error resolving resource');
  }

  get resources(): LazyResource[] {
    return this.#crd.spec.versions.filter(({ served }) => served).flatMap((version) => this.#resourcesOf(version));
  }

  /** The objects as one version sees them. */
  store(version: string): Store {
    let store = this.#stores.get(version);
    if (store === undefined) this.#stores.set(version, (store = this.#makeStore(version)));
    return store;
  }

  /**
   * Takes no part any more: watches end, after the events that they have been given; requests that have begun get
   * time to finish before the storage is closed.
   */
  retire(onClosed: () => void): void {
    for (const watch of this.#watches) watch.end({ kind: 'closed' });
    const end = (): void => {
      this.close().then(onClosed, onClosed);
    };
    if (this.#stored === undefined) end();
    else this.#retired = this.#options.environment.clock.setTimer(end, retirementMs);
  }

  /** Ends everything at once. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#retired?.cancel();
    this.#schemas?.close();
    await this.#stored?.close();
  }

  #resourcesOf(version: CRDVersion): LazyResource[] {
    const {
      group,
      names: { plural },
      scope,
      versions,
    } = this.#crd.spec;
    const { singular = '', kind, shortNames = [], categories = [] } = this.#accepted;
    const namespaced = scope === 'Namespaced';
    const storedAs = versions.find(({ served, storage }) => served && storage)?.name;
    const entry: APIResource = {
      name: plural,
      singularName: singular,
      namespaced,
      kind,
      verbs: this.#terminating ? terminatingVerbs : mainVerbs,
      ...(shortNames.length === 0 ? {} : { shortNames }),
      ...(categories.length === 0 ? {} : { categories }),
      ...(storedAs === undefined ? {} : { storageVersionHash: storageVersionHash({ group, version: storedAs }, kind) }),
    };
    const lazy = (path: string, own: APIResource, storage: () => RESTStorage): LazyResource => ({
      group,
      version: version.name,
      path,
      namespaced,
      ...(this.#listed ? { entry: own } : {}),
      load: () => {
        this.ensureServable();
        return this.#installed(version, path, storage());
      },
    });
    const resources: LazyResource[] = [
      { ...lazy(plural, entry, () => this.store(version.name)), openAPI: () => this.#published(version) },
    ];
    if (version.subresources?.status !== undefined) {
      resources.push(
        lazy(
          `${plural}/status`,
          { name: `${plural}/status`, singularName: '', namespaced, kind, verbs: subresourceVerbs },
          () => this.#statusStorage(version.name),
        ),
      );
    }
    const scale = version.subresources?.scale;
    if (scale !== undefined) {
      resources.push(
        lazy(
          `${plural}/scale`,
          {
            name: `${plural}/scale`,
            singularName: '',
            namespaced,
            group: 'autoscaling',
            version: 'v1',
            kind: 'Scale',
            verbs: subresourceVerbs,
          },
          () => createScaleStorage(this.store(version.name), this.#scaleAccess(scale)),
        ),
      );
    }
    return resources;
  }

  #installed(version: CRDVersion, path: string, storage: RESTStorage): InstalledResource {
    const { group } = this.#crd.spec;
    const warning = deprecationWarning(this.#crd, version);
    return {
      group,
      version: version.name,
      path,
      storage,
      scheme: this.scheme,
      custom: true,
      ...(warning === undefined ? {} : { deprecationWarning: warning }),
      ...(path.includes('/') ? {} : { wrapAdmission: (chain) => new ForbidCreate(chain, () => this.#terminating) }),
    };
  }

  #published(version: CRDVersion): CustomResourceOpenAPI {
    return publishedOpenAPI(
      this.#crd,
      this.#known.whole().spec.versions.find(({ name }) => name === version.name) ?? version,
    );
  }

  get #accepted(): CRDNames {
    return this.#crd.status?.acceptedNames ?? this.#crd.spec.names;
  }

  get schemas(): ReadonlyMap<string, VersionSchema> {
    return (this.#schemas ??= new VersionSchemas(this.#crd, () => this.#known.whole(), {
      inUse: this.#options.schemasInUse,
      hasFormat: knownFormats(this.#options.environment.release ?? builtinRelease),
    })).byVersion;
  }

  get scheme(): Scheme {
    return (this.#scheme ??= customScheme(this.schemas, this.#objectConverter));
  }

  get #objectConverter(): ObjectConverter {
    return (this.#converter ??=
      this.#crd.spec.conversion?.strategy === 'Webhook' ? this.#options.webhookConverter(this.#crd) : noneConverter);
  }

  #schema(version: string): VersionSchema {
    const schema = this.schemas.get(`${this.#crd.spec.group}/${version}`);
    if (schema === undefined) throw new TypeError(`CRD ${this.#crd.metadata.name ?? ''} has no version ${version}`);
    return schema;
  }

  #restOptions(): RESTOptions {
    const { group, names } = this.#crd.spec;
    return (this.#rest ??= this.#options.restOptions.getRESTOptions(
      { group, resource: names.plural },
      `${group}/${names.plural}`,
    ));
  }

  /** The objects in the versions that they were stored in: one cache for all versions. */
  #storedObjects(): StorageInterface {
    if (this.#stored !== undefined) return this.#stored;
    const { group, names, scope, versions } = this.#crd.spec;
    const rest = this.#restOptions();
    const readers = new Map(versions.flatMap((version) => [...selectableFields(version)]));
    this.#stored = rest.decorator({
      groupResource: { group, resource: names.plural },
      resourcePrefix: rest.resourcePrefix,
      namespaced: scope === 'Namespaced',
      isLate: true,
      typeDescription: `${group}/${storageVersionOf(this.#crd)}, Kind=${names.kind}`,
      codec: customCodec(this.schemas, (object) => attributesOf(object, readers), {
        cbor: this.#options.cbor ?? false,
        storageVersion: { group, version: storageVersionOf(this.#crd) },
      }),
    });
    if (this.#closed) void this.#stored.close();
    return this.#stored;
  }

  #makeStore(version: string): Store {
    const { group, names, scope } = this.#crd.spec;
    const schema = this.#schema(version);
    const rest = this.#restOptions();
    const fields = selectableFields(schema.version);
    const accepted = this.#accepted;
    const storageVersion = storageVersionOf(this.#crd);
    const spec: ResourceSpec = {
      scheme: this.scheme,
      group,
      plural: names.plural,
      singular: accepted.singular ?? '',
      kind: accepted.kind,
      listKind: accepted.listKind ?? `${accepted.kind}List`,
      shortNames: accepted.shortNames ?? [],
      categories: accepted.categories ?? [],
      namespaced: scope === 'Namespaced',
      memoryVersion: { group, version },
      storageVersion: { group, version: storageVersion },
      strategy: customStrategy(schema, this.#options.rules),
      fields: Object.fromEntries(fields),
      table: printerColumns(schema.version),
      typedListItems: true,
      anyFinalizers: true,
    };
    const storage = new VersionedStorage(schema.apiVersion, {
      stored: this.#storedObjects(),
      schemas: this.schemas,
      converter: this.#objectConverter,
      storageVersion: `${group}/${storageVersion}`,
      watches: this.#watches,
      attributesOf: (object) => attributesOf(object, fields),
      ...(rest.unsafeDeletion === true
        ? { unreadable: { keyRoot: rest.keyRoot, resourcePrefix: rest.resourcePrefix, unsafeDeletion: true } }
        : {}),
    });
    return new Store({
      spec,
      storage,
      keyRoot: rest.keyRoot,
      resourcePrefix: rest.resourcePrefix,
      enableGarbageCollection: rest.enableGarbageCollection,
      deleteCollectionWorkers: rest.deleteCollectionWorkers,
      environment: this.#options.environment,
    });
  }

  #statusStorage(version: string): RESTStorage {
    const { group, versions } = this.#crd.spec;
    const withStatus = versions
      .filter(({ subresources }) => subresources?.status !== undefined)
      .map(({ name }) => `${group}/${name}`);
    return createStatusStorage(
      this.store(version),
      customStatusStrategy(this.#schema(version), withStatus, this.#options.rules),
    );
  }

  #scaleAccess(paths: ScalePaths): ScaleAccess {
    const { group, versions } = this.#crd.spec;
    return {
      specReplicasPath: paths.specReplicasPath,
      readSpecReplicas: (object) => nestedInteger(object, paths.specReplicasPath).value,
      writeSpecReplicas: (object, replicas) => {
        setNested(object, paths.specReplicasPath, replicas);
      },
      readStatusReplicas: (object) => nestedInteger(object, paths.statusReplicasPath).value ?? 0,
      readSelector: (object) =>
        paths.labelSelectorPath === undefined ? '' : (nestedString(object, paths.labelSelectorPath).value ?? ''),
      replicasPaths: new Map(
        versions.map(({ name, subresources }) => [
          `${group}/${name}`,
          subresources?.scale === undefined ? null : splitPath(subresources.scale.specReplicasPath),
        ]),
      ),
    };
  }
}

function attributesOf(object: KubeObject, readers: FieldReaders): ObjectAttributes {
  const { name = '', namespace = '', labels } = object.metadata ?? {};
  const fields: Record<string, string> = { 'metadata.name': name, 'metadata.namespace': namespace };
  for (const [field, read] of readers) fields[field] = read(object);
  return { name, namespace, labels, fields };
}

/** The CRD's own words, or a pointer to the newest version that is not deprecated (defaultDeprecationWarning, 1.36). */
function deprecationWarning({ spec }: CustomResourceDefinition, version: CRDVersion): string | undefined {
  if (version.deprecated !== true) return undefined;
  if (version.deprecationWarning !== undefined) return version.deprecationWarning;
  const { group, names } = spec;
  const text = `${group}/${version.name} ${names.kind} is deprecated`;
  const newer = spec.versions
    .filter(
      ({ deprecated, name, served }) =>
        served && deprecated !== true && name !== version.name && compareVersions(name, version.name) < 0,
    )
    .map(({ name }) => name)
    .toSorted(compareVersions)[0];
  return newer === undefined ? text : `${text}; use ${group}/${newer} ${names.kind}`;
}
