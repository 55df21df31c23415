import type { KubeObject } from '@kubechain/apimachinery';

/** A request for an API that functions serve. */
export interface APIFunctionRequest {
  readonly verb: 'get' | 'list' | 'create' | 'update' | 'patch' | 'delete';
  /** '' for all, and for resources without namespaces. */
  readonly namespace: string;
  /** '' for lists and creates. */
  readonly name: string;
  /** Who asks, as the main server has authenticated them. */
  readonly user: {
    readonly name: string;
    readonly uid: string;
    readonly groups: readonly string[];
    readonly extra: Readonly<Record<string, readonly string[]>>;
  };
  /** `labelSelector`, `limit`, `dryRun` and others: nothing is done about them. */
  readonly query: URLSearchParams;
  /** Of create, update and patch, parsed where it is JSON. */
  readonly body: unknown;
  readonly contentType: string;
  /** Aborts when the client has gone. */
  readonly signal: AbortSignal;
}

/** An object; a Status, for a refusal; or nothing, for 404. */
export type APIFunctionAnswer = object | undefined | void;

/** One resource, or subresource (`plural: 'boats/status'`); a function for each verb that it has. */
export interface APIFunctionResource {
  readonly plural: string;
  readonly kind: string;
  readonly singular?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  /** Default true. */
  readonly namespaced?: boolean;
  readonly get?: (request: APIFunctionRequest) => APIFunctionAnswer | Promise<APIFunctionAnswer>;
  /** Answers the items. */
  readonly list?: (request: APIFunctionRequest) => readonly object[] | Promise<readonly object[]>;
  readonly create?: (request: APIFunctionRequest) => APIFunctionAnswer | Promise<APIFunctionAnswer>;
  readonly update?: (request: APIFunctionRequest) => APIFunctionAnswer | Promise<APIFunctionAnswer>;
  readonly patch?: (request: APIFunctionRequest) => APIFunctionAnswer | Promise<APIFunctionAnswer>;
  readonly delete?: (request: APIFunctionRequest) => APIFunctionAnswer | Promise<APIFunctionAnswer>;
}

/** A version of an API group, e.g. `metrics.k8s.io` `v1beta1`. */
export interface APIFunctions {
  readonly group: string;
  readonly version: string;
  readonly resources: readonly APIFunctionResource[];
}

const verbs = ['get', 'list', 'create', 'update', 'patch', 'delete'] as const;

/** `/apis/GROUP/VERSION`, as clients discover it. */
export function resourceList({ group, resources, version }: APIFunctions): object {
  return {
    kind: 'APIResourceList',
    apiVersion: 'v1',
    groupVersion: `${group}/${version}`,
    resources: resources.map((resource) => ({
      name: resource.plural,
      singularName: resource.plural.includes('/') ? '' : (resource.singular ?? resource.kind.toLowerCase()),
      namespaced: resource.namespaced ?? true,
      kind: resource.kind,
      verbs: verbs.filter((verb) => resource[verb] !== undefined),
      ...(resource.shortNames === undefined ? {} : { shortNames: resource.shortNames }),
      ...(resource.categories === undefined ? {} : { categories: resource.categories }),
    })),
  };
}

/** What a path below a group version asks for; undefined for nothing that is there. */
export interface APIFunctionTarget {
  readonly resource: APIFunctionResource;
  readonly namespace: string;
  readonly name: string;
}

/** @param path below the group version: `/namespaces/a/boats/b/status` */
export function targetOf({ resources }: APIFunctions, path: string): APIFunctionTarget | undefined {
  const parts = path.split('/').slice(1).map(decodeURIComponent);
  const namespaced = parts[0] === 'namespaces' && parts.length > 2;
  const [plural = '', name = '', ...sub] = namespaced ? parts.slice(2) : parts;
  const wanted = [plural, ...sub].join('/');
  const resource = resources.find((candidate) => candidate.plural === wanted);
  if (resource === undefined || (namespaced && resource.namespaced === false)) return undefined;
  return { resource, name, namespace: namespaced ? (parts[1] ?? '') : '' };
}

/** The verb of a method; undefined for those that functions cannot serve, watches for example. */
export function verbOf(method: string, name: string, query: URLSearchParams): APIFunctionRequest['verb'] | undefined {
  switch (method) {
    case 'GET':
      if (name !== '') return 'get';
      return ['1', 'true'].includes(query.get('watch') ?? '') ? undefined : 'list';
    case 'POST':
      return 'create';
    case 'PUT':
      return 'update';
    case 'PATCH':
      return 'patch';
    case 'DELETE':
      return name === '' ? undefined : 'delete';
    default:
      return undefined;
  }
}

/** Objects are answered with apiVersion and kind, whether their function says them or not. */
export function typed(object: object, { group, version }: APIFunctions, kind: string): KubeObject {
  return { apiVersion: `${group}/${version}`, kind, ...object };
}
