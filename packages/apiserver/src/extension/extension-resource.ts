import { isDeepStrictEqual } from 'node:util';
import type { GroupVersion, KubeObject, OpenAPIV3Schema } from '@kubechain/apimachinery';
import type { RESTOptionsGetter } from '@kubechain/shared-storage';
import { apiResourceOf } from '../endpoints/installer/api-resource-of.ts';
import type { LazyResource } from '../endpoints/installer/lazy-resource.ts';
import type { TableConvertor } from '../table/table-convertor.ts';
import { createResource } from '../registry/generic/create-resource.ts';
import type { FieldReader, ResourceSpec } from '../registry/generic/resource-spec.ts';
import { createStatusStorage } from '../registry/generic/status-storage.ts';
import type { StoreHooks } from '../registry/generic/store-hooks.ts';
import type { Store } from '../registry/generic/store.ts';
import type { Strategy } from '../registry/generic/strategy.ts';
import { copyObject } from '../registry/rest/copy-object.ts';
import type { RESTStorage } from '../registry/rest/storage.ts';
import { extensionScheme, type ExtensionVersion } from './extension-scheme.ts';

/** One resource of an extension server; everything here is said in the server's own version. */
export interface ExtensionResource {
  readonly kind: string;
  /** Lower case, e.g. `recipes`. */
  readonly plural: string;
  /** Default: the kind in lower case. */
  readonly singular?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  /** Default true. */
  readonly namespaced?: boolean;
  /**
   * The whole object without apiVersion, kind and metadata, as a CRD would say it. Unknown fields are dropped, defaults
   * set, lists merged by apply as it says; descriptions are what `kubectl explain` shows. Rules for values are
   * `strategy.validate`'s.
   */
  readonly schema: OpenAPIV3Schema;
  /**
   * Objects have a `status` that only the endpoint `/status` writes. Default: whether the schema has a property of this
   * name.
   */
  readonly status?: boolean;
  /** What is special about it: validation, normalizing, names. */
  readonly strategy?: Strategy;
  /** What happens around storage. */
  readonly hooks?: StoreHooks;
  /** Columns of `kubectl get`; default Name and Age. */
  readonly table?: TableConvertor;
  /** Fields that selectors may name besides metadata.name and metadata.namespace. */
  readonly fields?: Readonly<Record<string, FieldReader>>;
  /**
   * Further versions that it is served in, each with its own APIService. Strategy, columns and fields see the server's
   * version only.
   */
  readonly versions?: readonly ExtensionVersion[];
}

/** A resource with its storage open. */
export interface OpenedResource {
  readonly store: Store;
  readonly endpoints: readonly LazyResource[];
}

/**
 * Opens storage for a resource, which keeps it in `hub`, and describes its endpoints in all versions. The caller closes
 * the store.
 */
export function openExtensionResource(
  resource: ExtensionResource,
  hub: GroupVersion,
  restOptions: RESTOptionsGetter,
): OpenedResource {
  const {
    kind,
    plural,
    schema,
    singular = kind.toLowerCase(),
    namespaced = true,
    strategy = {},
    versions = [],
  } = resource;
  const { status = schema.properties?.['status'] !== undefined } = resource;
  const { group } = hub;
  const scheme = extensionScheme({ hub, kind, schema, versions });
  const { fields, hooks, table } = resource;
  const spec: ResourceSpec = {
    scheme,
    group,
    plural,
    singular,
    kind,
    namespaced,
    memoryVersion: hub,
    resourcePrefix: `${group}/${plural}`,
    shortNames: resource.shortNames ?? [],
    categories: resource.categories ?? [],
    strategy: status ? withoutStatus(strategy) : strategy,
    typedListItems: true,
    anyFinalizers: true,
    ...(hooks === undefined ? {} : { hooks }),
    ...(table === undefined ? {} : { table }),
    ...(fields === undefined ? {} : { fields }),
  };
  const store = createResource(spec, restOptions);
  const statusStorage = status ? createStatusStorage(store, onlyStatus(strategy)) : undefined;
  const endpointsOf = (served: Pick<ExtensionVersion, 'deprecationWarning' | 'schema' | 'version'>): LazyResource[] => {
    const { deprecationWarning, version } = served;
    const endpoint = (path: string, storage: RESTStorage): LazyResource => ({
      group,
      version,
      path,
      namespaced,
      entry: apiResourceOf(path, storage, { group, version }),
      load: () => ({
        group,
        version,
        path,
        storage,
        scheme,
        custom: true,
        ...(deprecationWarning === undefined ? {} : { deprecationWarning }),
      }),
    });
    const published = {
      group,
      version,
      kind,
      listKind: `${kind}List`,
      plural,
      namespaced,
      status,
      scale: false,
      schema: served.schema,
    };
    return [
      { ...endpoint(plural, store), openAPI: () => published },
      ...(statusStorage === undefined ? [] : [endpoint(`${plural}/status`, statusStorage)]),
    ];
  };
  return { store, endpoints: [{ version: hub.version, schema }, ...versions].flatMap(endpointsOf) };
}

/**
 * The main endpoint of a resource with a status: it is not written here, and `generation` counts changes of the rest.
 */
function withoutStatus(strategy: Strategy): Strategy {
  return {
    ...strategy,
    resetFields: ['status'],
    async prepareForCreate(object, context) {
      delete object['status'];
      if (object.metadata !== undefined) object.metadata.generation = 1;
      await strategy.prepareForCreate?.(object, context);
    },
    async prepareForUpdate(object, old, context) {
      restore(object, old, 'status');
      await strategy.prepareForUpdate?.(object, old, context);
      if (object.metadata !== undefined)
        object.metadata.generation =
          (old.metadata?.generation ?? 1) + (isDeepStrictEqual(payloadOf(object), payloadOf(old)) ? 0 : 1);
    },
  };
}

/** Its endpoint `/status`: everything but the status stays as it is. */
function onlyStatus(strategy: Strategy): Strategy {
  return {
    allowUnconditionalUpdate: false,
    resetFields: ['metadata', 'spec'],
    prepareForUpdate(object, old) {
      const { status, metadata: { managedFields, resourceVersion } = {} } = object as KubeObject & {
        readonly status?: unknown;
      };
      for (const key of Object.keys(object)) delete object[key];
      Object.assign(object, copyObject(old));
      object.metadata = {
        ...object.metadata,
        ...(managedFields === undefined ? {} : { managedFields }),
        ...(resourceVersion === undefined ? {} : { resourceVersion }),
      };
      if (status === undefined) delete object['status'];
      else object['status'] = status;
    },
    validateUpdate: (object, old, context) => strategy.validateUpdate?.(object, old, context) ?? [],
  };
}

function payloadOf({
  metadata: _metadata,
  status: _status,
  ...payload
}: KubeObject & { readonly status?: unknown }): object {
  return payload;
}

function restore(object: KubeObject, old: KubeObject, field: string): void {
  if (old[field] === undefined) delete object[field];
  else object[field] = old[field];
}
