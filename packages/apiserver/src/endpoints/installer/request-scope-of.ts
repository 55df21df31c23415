import type { GroupVersionKind, JSONValue, KubeObject } from '@kubechain/apimachinery';
import { ownBytes } from '@kubechain/shared-storage';
import { StatusError, builtinRelease, equalJSON, formatGroupVersion, limits } from '@kubechain/apimachinery';
import { WatchMetrics } from '../../metrics/watch-metrics.ts';
import { RegistryError } from '../../registry/registry-error.ts';
import type { FieldManager } from '../../registry/fieldmanager/field-manager.ts';
import { createFieldManager } from '../../registry/fieldmanager/managed-fields.ts';
import type { RequestScope } from '../handlers/request-scope.ts';
import type { RecordViews } from '../handlers/record-views.ts';
import type { WorkShare } from '../../request/work-share.ts';
import { resourceMediaTypes, watchTypeName } from '../../negotiation/media-types.ts';
import type { MediaType } from '../../negotiation/media-types.ts';
import type { EndpointOffer } from '../../negotiation/negotiate.ts';
import { patchTypesOf } from '../handlers/patch/patch-types.ts';
import type { APIInstallerOptions, InstalledResource } from './installed-resource.ts';

/** What all scopes of a server share. */
export type ScopeOptions = APIInstallerOptions & { readonly views: RecordViews; readonly work: WorkShare };

const defaultMinRequestTimeoutMs = 1_800_000;

/** Router-level media types of built-in resources. */
const routeTypes = { json: producedTypes(false), cbor: producedTypes(true) };

function producedTypes(cbor: boolean): {
  readonly produces: readonly string[];
  readonly listProduces: readonly string[];
} {
  const types = resourceMediaTypes({ cbor });
  const produces = types.map((type) => type.name);
  return {
    produces,
    listProduces: [...produces, ...types.filter((type) => type.streamName !== undefined).map(watchTypeName)],
  };
}

/**
 * Puts together what the handlers of one resource share. @throws RegistryError when the scheme does not know its kind
 */
export function requestScopeOf(installed: InstalledResource, options: ScopeOptions): RequestScope {
  const { group, path, scheme, storage, version } = installed;
  const [resource = '', subresource = ''] = path.split('/');
  const kind: GroupVersionKind = storage.groupVersionKind?.({ group, version }) ?? {
    group,
    version,
    kind: storage.kind,
  };
  const kindInfo = scheme.kind(kind);
  if (kindInfo === undefined)
    throw new RegistryError(`kind ${kind.kind} of ${path} is not registered in ${formatGroupVersion(kind)}`);
  const custom = installed.custom === true;
  const memoryVersion = storage.memoryVersion ?? kind;
  const cbor = options.cbor ?? false;
  const { listProduces, produces } = routeTypes[cbor ? 'cbor' : 'json'];
  return {
    storage,
    scheme,
    kind,
    kindInfo,
    subresource,
    custom,
    resource: { group, version, resource },
    groupResource: { group, resource },
    apiVersion: formatGroupVersion(kind),
    listKind: storage.listKind ?? `${kind.kind}List`,
    servesRecords: memoryVersion.group === kind.group && memoryVersion.version === kind.version,
    recordPrefix: recordPrefix(kind, custom),
    memoryPrefix: recordPrefix({ ...memoryVersion, kind: kind.kind }, custom),
    views: options.views,
    work: options.work,
    sideServer: options.sideServer,
    offer: offerOf(
      { offered: resourceMediaTypes({ cbor }), own: resourceMediaTypes({ cbor, custom }) },
      storage.withoutTables !== true &&
        (storage.get !== undefined || storage.list !== undefined || storage.update !== undefined),
    ),
    produces: custom ? undefined : produces,
    listProduces: custom ? undefined : listProduces,
    cbor,
    patchTypes: patchTypesOf({ cbor, custom }),
    admission: installed.wrapAdmission?.(options.admission) ?? options.admission,
    equivalents: () => options.equivalents?.({ group, version, resource }, subresource) ?? [],
    authorizer: options.authorizer,
    fieldManager: fieldManagerOf(installed, kind, options),
    unsafeDeletion: options.unsafeDeletion ?? false,
    sharding: options.sharding ?? false,
    release: options.release ?? builtinRelease,
    clock: options.clock,
    maxRequestBodyBytes: options.maxRequestBodyBytes ?? limits.requestBody.value,
    minRequestTimeoutMs: options.minRequestTimeoutMs ?? defaultMinRequestTimeoutMs,
    watchMetrics: (options.watchMetrics ?? new WatchMetrics()).of({ group, version, resource }),
    random: options.random,
    deprecationWarning: installed.deprecationWarning ?? storage.deprecationWarning,
    schemeName: installed.schemeName ?? 'pkg/api/legacyscheme/scheme.go:30',
  };
}

/**
 * How records of a kind begin: typed ones with the kind, unstructured ones with the first key in alphabetical order.
 */
function recordPrefix(kind: GroupVersionKind, unstructured: boolean): Buffer {
  const name = `"kind":${JSON.stringify(kind.kind)}`;
  const version = `"apiVersion":${JSON.stringify(formatGroupVersion(kind))}`;
  return ownBytes(Buffer.from(unstructured ? `{${version},${name},` : `{${name},${version},`));
}

/**
 * All formats; tables in JSON and YAML of what is kept, metadata in all of them
 * (RequestScope.AllowsMediaTypeTransform).
 */
function offerOf(
  { offered, own }: { readonly offered: readonly MediaType[]; readonly own: readonly MediaType[] },
  tables: boolean,
): EndpointOffer {
  return {
    mediaTypes: offered,
    allowsServerVersion: (serverVersion) => serverVersion === 'v1',
    allowsTransform: (mediaType, target) => {
      if (target === undefined) return own.includes(mediaType);
      if (target.group !== 'meta.k8s.io' || (target.version !== 'v1' && target.version !== 'v1beta1')) return false;
      if (target.kind === 'Table') return tables && (mediaType.format === 'json' || mediaType.format === 'yaml');
      return target.kind === 'PartialObjectMetadata' || target.kind === 'PartialObjectMetadataList';
    },
  };
}

/** Everything with metadata keeps track of who set what, also what is never stored. */
function fieldManagerOf(
  { custom, group, path, scheme, storage }: InstalledResource,
  kind: GroupVersionKind,
  options: APIInstallerOptions,
): FieldManager | undefined {
  const schema = scheme.kind(kind)?.schema;
  if (
    schema === undefined ||
    (schema.kind === 'struct' && !schema.fields.has('metadata') && schema.preserveUnknown !== true)
  )
    return undefined;
  if (storage.create === undefined && storage.update === undefined) return undefined;
  const [, subresource = ''] = path.split('/');
  const manager = createFieldManager({
    scheme,
    storage,
    kind,
    subresource,
    clock: options.clock,
    custom: custom === true,
    release: options.release,
  });
  if (custom !== true || kind.group === group) return manager;
  // The reference cannot apply changes to the Scale of a custom resource, as its conversions know the CRD's versions
  // only; conflicts it finds before, and what changes nothing is not converted.
  const gv = formatGroupVersion(kind);
  const refuse = (what: string): never => {
    throw new StatusError({
      status: 'Failure',
      code: 500,
      message:
        `${what}; ${gv}, Kind=${kind.kind}) to proper version: request to convert CR to an invalid ` +
        `group/version: ${gv}`,
    });
  };
  return {
    update: (live, updated, name) => manager.update(live, updated, name),
    apply: async (live, patch, applyOptions) => {
      // Another kind is refused before.
      if (live.metadata?.managedFields === undefined && patch.apiVersion === gv && patch.kind === kind.kind)
        return refuse('failed to create manager for existing fields: failed to convert live object (/');
      const applied = await manager.apply(live, patch, applyOptions);
      if (equalButForManagers(applied, live)) return applied;
      return refuse(`failed to convert new object (${patch.metadata?.namespace ?? ''}/${patch.metadata?.name ?? ''}`);
    },
  };
}

function equalButForManagers(one: KubeObject, other: KubeObject): boolean {
  const bare = ({ metadata, ...rest }: KubeObject): JSONValue => {
    const { managedFields: _, ...kept } = metadata ?? {};
    return { ...rest, metadata: kept } as object as JSONValue;
  };
  return equalJSON(bare(one), bare(other));
}
