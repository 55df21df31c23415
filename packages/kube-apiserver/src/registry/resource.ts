import { builtinRelease } from '@kubechain/apimachinery';
import type { Clock, Defaulter, GroupVersionKind, KubeObject, Release } from '@kubechain/apimachinery';
import { createStatusStorage } from '@kubechain/apiserver/resources';
import type {
  BuiltinResource,
  CreatesBy,
  RESTStorage,
  Store,
  StoreHooks,
  Strategy,
  TableConvertor,
} from '@kubechain/apiserver/resources';
import type { Capabilities } from './capabilities.ts';
import { RegistryConfigError } from './registry-config-error.ts';
import { replicasScale } from './scale.ts';
import type { RegistryContext, ResourceEntry, StorageProvider } from './storage-provider.ts';
import { tableOf } from './table/table-of.ts';
import type { RowPrinter } from './table/printer.ts';

/** What a server has to make a strategy of, or the strategy where it needs nothing. */
type InServer<T> = T | ((context: RegistryContext) => T);

type DefaultsByVersion = Readonly<Record<string, Defaults>>;

/** What defaults depend on besides the object. */
export interface DefaultsSetting {
  /** For what is stamped. */
  readonly clock: Clock;
  readonly release: Release;
  readonly capabilities: Capabilities;
}

/** A defaulting function, which may take objects to have the kind's shape: decoding has checked that. */
type Defaults = (object: never) => void;

/**
 * A built-in resource in one literal. Names, scope, versions and columns come from the generated facts of the
 * reference; what the generic store does for all is not repeated.
 */
export interface ResourceDefinition extends Omit<BuiltinResource, 'strategy' | 'scheme' | 'table'> {
  /** What its main endpoint does beyond the generic store. */
  readonly strategy: InServer<Strategy>;
  /** Its status endpoint. Absent: it has none. */
  readonly status?: InServer<Strategy>;
  /** What updates of its status begin with. */
  readonly beginStatusUpdate?: (context: RegistryContext) => StoreHooks['beginUpdate'];
  /** Whether its status endpoint makes objects that do not exist. Absent: it does not. */
  readonly statusCreates?: CreatesBy;
  /** The reference shows its status in no Table. */
  readonly statusWithoutTables?: true;
  /** Its scale endpoint, by the form of its selectors. Absent: it has none. */
  readonly scale?: 'object' | 'map';
  /** What decoding sets that schemas do not say, by version. */
  readonly defaults?: DefaultsByVersion | ((setting: DefaultsSetting) => DefaultsByVersion);
  /** The same for kinds of its subresources. */
  readonly alsoDefaults?: readonly (GroupVersionKind & { readonly apply: Defaults })[];
  /** How an object prints in the reference's columns. Absent: name and time of creation. */
  readonly row?: RowPrinter;
  /** The order of the rows of a list, where it is not the list's. */
  readonly rowOrder?: (a: never, b: never) => number;
  /** Parts of the store that need the server. */
  readonly store?: (context: RegistryContext) => Partial<BuiltinResource>;
  /** The main endpoint, where it is more than the store. */
  readonly main?: (store: Store, context: RegistryContext) => RESTStorage;
  /** Endpoints besides the main one, status and scale. */
  readonly also?: (store: Store, context: RegistryContext) => readonly ResourceEntry[];
}

/** One API group: its resources in the order in which they are installed. */
export interface GroupProvider {
  readonly group: string;
  readonly resources: readonly BuiltInResource[];
}

/** A resource as the list of a group holds it. */
export interface BuiltInResource {
  /** Makes its storages for one server. */
  readonly provide: StorageProvider;
  /** Its defaulting functions for one server. */
  readonly defaulters: (setting: DefaultsSetting) => readonly Defaulter[];
  /** undefined for what is not stored. */
  readonly definition: ResourceDefinition | undefined;
}

/** A resource that is kept in storage. */
export function storedResource(definition: ResourceDefinition): BuiltInResource {
  return {
    definition,
    provide: (context) => entriesOf(definition, context),
    defaulters: (setting) => defaultersOf(definition, setting),
  };
}

/** A resource that answers by itself: reviews, and what is asked of others. */
export function answeredResource(provide: StorageProvider): BuiltInResource {
  return { provide, defaulters: () => [], definition: undefined };
}

function entriesOf(definition: ResourceDefinition, context: RegistryContext): readonly ResourceEntry[] {
  const {
    also,
    alsoDefaults: _alsoDefaults,
    beginStatusUpdate,
    defaults: _defaults,
    main,
    row,
    rowOrder,
    scale,
    status,
    statusCreates,
    statusWithoutTables,
    store: inServer,
    strategy,
    ...resource
  } = definition;
  const store = context.store({
    ...resource,
    ...inServer?.(context),
    strategy: made(strategy, context),
    // Decoding has checked that the objects have the kind's shape.
    table: tableOf(kindOf(definition, context.release), row, context.release, rowOrder as TableConvertor['compare']),
  });
  const { plural } = definition;
  return [
    [plural, main?.(store, context) ?? store],
    ...(status === undefined
      ? []
      : [
          [
            `${plural}/status`,
            createStatusStorage(store, made(status, context), {
              tables: statusWithoutTables !== true,
              beginUpdate: beginStatusUpdate?.(context),
              creates: statusCreates,
            }),
          ] as const,
        ]),
    ...(scale === undefined ? [] : [[`${plural}/scale`, replicasScale(store, scale)] as const]),
    ...(also?.(store, context) ?? []),
  ];
}

function made(strategy: InServer<Strategy>, context: RegistryContext): Strategy {
  return typeof strategy === 'function' ? strategy(context) : strategy;
}

function defaultersOf(definition: ResourceDefinition, setting: DefaultsSetting): Defaulter[] {
  const { release } = setting;
  const { alsoDefaults = [], defaults = {}, group } = definition;
  const kind = release.preferredResource(group, definition.plural)?.kind;
  // Of another release.
  if (kind === undefined) return [];
  const byVersion = typeof defaults === 'function' ? defaults(setting) : defaults;
  return [
    ...Object.entries(byVersion)
      .map(([version, apply]) => ({ group, version, kind, apply }))
      // Versions of other releases have no objects in this one.
      .filter((gvk) => release.scheme.kind(gvk) !== undefined),
    ...alsoDefaults,
  ].map(({ apply, ...gvk }) => ({ gvk, apply: apply as (object: KubeObject) => void }));
}

/** The kind of a resource, which is the same in all its versions. */
export function kindOf(
  { group, plural }: Pick<ResourceDefinition, 'group' | 'plural'>,
  release: Release = builtinRelease,
): string {
  const facts = release.preferredResource(group, plural);
  if (facts === undefined)
    throw new RegistryConfigError(`the reference has no ${plural} in group ${JSON.stringify(group)}`);
  return facts.kind;
}
