import { meta } from './meta-definitions.ts';
import { append } from '@kubechain/apimachinery';
import type { GroupVersion, Release, Scheme } from '@kubechain/apimachinery';
import type { RESTStorage } from '../registry/rest/storage.ts';
import { isPatcher } from '../endpoints/installer/verbs.ts';
import { Store } from '../registry/generic/store.ts';
import type { DescriptionSource } from './built-in-schema.ts';
import { operationIdAndTag } from './operation-id.ts';
import { optionsDefinitions, optionsParameters, parameter } from './options-parameters.ts';
import type { HttpMethod, Parameter, Route, RouteResponse } from './route.ts';

/** A resource or subresource as it is installed. */
export interface DescribedResource {
  /** `pods` or `pods/status`. */
  readonly path: string;
  readonly storage: RESTStorage;
  readonly scheme: Scheme;
}

/** The resources of one group version. */
export interface DescribedGroupVersion {
  readonly groupVersion: GroupVersion;
  readonly resources: readonly DescribedResource[];
}

/** What API objects are written as. */
export const plainTypes: readonly string[] = [
  'application/json',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
];
const streamTypes: readonly string[] = [
  ...plainTypes,
  'application/json;stream=watch',
  'application/vnd.kubernetes.protobuf;stream=watch',
];
const patchTypes: readonly string[] = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/apply-patch+yaml',
];
const anyType: readonly string[] = ['*/*'];
/** Text of the path parameter `namespace`. */
export const namespaceText = 'object name and auth scope, such as for teams and projects';
const connectMethods: ReadonlyMap<string, HttpMethod> = new Map([
  ['DELETE', 'delete'],
  ['GET', 'get'],
  ['HEAD', 'head'],
  ['OPTIONS', 'options'],
  ['PATCH', 'patch'],
  ['POST', 'post'],
  ['PUT', 'put'],
]);

/**
 * The operations of all resources of a group version (registerResourceHandlers of apiserver/pkg/endpoints/installer.go,
 * 1.36).
 */
export function resourceRoutes(
  described: DescribedGroupVersion,
  descriptions: DescriptionSource,
  release: Release,
): Route[] {
  const parents = new Map(described.resources.map(({ path, storage }) => [path, storage]));
  return described.resources.flatMap((resource) => {
    const parent = parents.get(resource.path.split('/')[0] ?? '') ?? resource.storage;
    return new ResourceRoutesBuilder(
      described.groupVersion,
      { ...resource, storage: resource.storage, parent },
      { descriptions, release },
    ).build();
  });
}

interface Operation {
  readonly method: HttpMethod;
  readonly name: string;
  readonly action: string;
  readonly description: string;
  readonly responses: readonly RouteResponse[];
  readonly options?: readonly Parameter[];
  readonly body?: NonNullable<Route['body']>;
  readonly consumes?: readonly string[];
  readonly produces?: readonly string[];
  readonly pretty?: boolean;
}

class ResourceRoutesBuilder {
  readonly #storage: RESTStorage;
  readonly #descriptions: DescriptionSource;
  readonly #release: Release;
  readonly #gvk: NonNullable<Route['gvk']>;
  /** Kind in names and texts: the parent's. */
  readonly #kind: string;
  readonly #subresource: string;
  readonly #definition: string | undefined;
  readonly #listDefinition: string | undefined;
  readonly #base: string;
  readonly #plural: string;
  readonly #isLog: boolean;
  readonly #routes: Route[] = [];

  constructor(
    groupVersion: GroupVersion,
    resource: DescribedResource & { readonly parent: RESTStorage },
    { descriptions, release }: { readonly descriptions: DescriptionSource; readonly release: Release },
  ) {
    const { scheme, storage } = resource;
    const [plural = '', subresource = ''] = resource.path.split('/');
    this.#plural = plural;
    this.#subresource = subresource;
    this.#storage = storage;
    this.#descriptions = descriptions;
    this.#release = release;
    this.#kind = (resource.parent.groupVersionKind?.(groupVersion) ?? resource.parent).kind;
    this.#isLog = resource.path === 'pods/log';
    const own = this.#isLog ? undefined : storage.groupVersionKind?.(groupVersion);
    this.#gvk = {
      group: own?.group ?? groupVersion.group,
      version: own?.version ?? groupVersion.version,
      kind: this.#isLog ? this.#kind : (own?.kind ?? storage.kind),
    };
    this.#definition = scheme.kind(this.#gvk)?.definition;
    this.#listDefinition = scheme.kind({
      ...groupVersion,
      kind: storage.listKind ?? `${storage.kind}List`,
    })?.definition;
    this.#base =
      groupVersion.group === ''
        ? `/api/${groupVersion.version}`
        : `/apis/${groupVersion.group}/${groupVersion.version}`;
  }

  build(): Route[] {
    const { namespaced } = this.#storage;
    const collection = namespaced ? `namespaces/{namespace}/${this.#plural}` : this.#plural;
    const item = `${collection}/{name}${this.#subresource === '' ? '' : `/${this.#subresource}`}`;
    if (this.#subresource === '') {
      this.#addCollection(collection);
      if (namespaced) this.#addLists(this.#plural, 'ForAllNamespaces');
    } else if (this.#storage.create !== undefined) {
      this.#add(item, this.#create());
    }
    this.#addItem(item);
    return this.#routes;
  }

  #addCollection(path: string): void {
    this.#addLists(path, '');
    if (this.#storage.create !== undefined) this.#add(path, this.#create());
    if (this.#storage.deleteCollection !== undefined)
      this.#add(path, {
        method: 'delete',
        name: 'deletecollection',
        action: 'deletecollection',
        description: `delete collection of ${this.#kind}`,
        responses: answers([200], `${meta}Status`),
        body: { definition: optionsDefinitions.delete, required: false },
        options: [
          ...this.#options('delete'),
          ...optionsParameters(optionsDefinitions.list, this.#descriptions, {
            except: ['watch', 'allowWatchBookmarks'],
            release: this.#release,
          }),
        ],
      });
  }

  #addLists(path: string, suffix: string): void {
    if (this.#storage.list === undefined) return;
    const watches = this.#storage.watch !== undefined;
    this.#add(
      path,
      {
        method: 'get',
        name: 'list',
        action: 'list',
        description: `list ${watches ? 'or watch ' : ''}objects of kind ${this.#kind}`,
        responses: answers([200], this.#listDefinition),
        produces: streamTypes,
        options: this.#options('list'),
      },
      suffix,
    );
    if (watches)
      this.#add(
        `watch/${path}`,
        {
          ...this.#watch(),
          name: 'watch',
          action: 'watchlist',
          description:
            `watch individual changes to a list of ${this.#kind}. deprecated: use the 'watch' parameter with a ` +
            'list operation instead.',
        },
        `List${suffix}`,
      );
  }

  #addItem(path: string): void {
    const { storage, kind, of } = {
      storage: this.#storage,
      kind: this.#kind,
      of: this.#subresource === '' ? '' : `${this.#subresource} of `,
    };
    if (this.#isLog)
      this.#add(path, {
        method: 'get',
        name: 'read',
        action: 'get',
        description: `read ${of}the specified ${kind}`,
        responses: answers([200], undefined),
        produces: ['text/plain', ...plainTypes],
        options: optionsParameters('io.k8s.api.core.v1.PodLogOptions', this.#descriptions, { release: this.#release }),
      });
    else if (storage.connect !== undefined) this.#addConnect(path);
    if (storage.get !== undefined)
      this.#add(path, {
        method: 'get',
        name: 'read',
        action: 'get',
        description: `read ${of}the specified ${kind}`,
        responses: answers([200], this.#definition),
      });
    if (storage.update !== undefined)
      this.#add(path, {
        method: 'put',
        name: 'replace',
        action: 'put',
        description: `replace ${of}the specified ${kind}`,
        responses: answers([200, 201], this.#definition),
        body: this.#body(),
        options: this.#options('update'),
      });
    if (isPatcher(storage))
      this.#add(path, {
        method: 'patch',
        name: 'patch',
        action: 'patch',
        description: `partially update ${of}the specified ${kind}`,
        responses: answers([200, 201], this.#definition),
        body: { definition: `${meta}Patch`, required: true },
        consumes: patchTypes,
        options: this.#options('patch'),
      });
    if (storage.delete !== undefined)
      this.#add(path, {
        method: 'delete',
        name: 'delete',
        action: 'delete',
        description: `delete ${of}${article(kind)}${kind}`,
        responses: answers(
          [200, 202],
          storage instanceof Store && storage.spec.returnDeletedObject === true ? this.#definition : `${meta}Status`,
        ),
        body: { definition: optionsDefinitions.delete, required: false },
        options: this.#options('delete'),
      });
    if (storage.watch !== undefined && this.#subresource === '')
      this.#add(`watch/${path}`, {
        ...this.#watch(),
        name: 'watch',
        action: 'watch',
        description:
          `watch changes to an object of kind ${kind}. deprecated: use the 'watch' parameter with a list ` +
          `operation instead, filtered to a single item with the 'fieldSelector' parameter.`,
      });
  }

  #addConnect(path: string): void {
    const options = optionsParameters(this.#definition ?? '', this.#descriptions, { release: this.#release });
    for (const verb of this.#storage.connectMethods ?? []) {
      const method = connectMethods.get(verb);
      if (method === undefined) continue;
      const operation: Operation = {
        method,
        name: `connect${title(verb.toLowerCase())}`,
        action: 'connect',
        description: `connect ${verb} requests to ${this.#subresource} of ${this.#kind}`,
        responses: answers([200], undefined),
        produces: anyType,
        options,
        pretty: false,
      };
      this.#add(path, operation);
      if (this.#subresource === 'proxy') this.#add(`${path}/{path}`, operation, 'WithPath');
    }
  }

  #create(): Operation {
    return {
      method: 'post',
      name: 'create',
      action: 'post',
      description:
        `create ${this.#subresource === '' ? '' : `${this.#subresource} of `}` + `${article(this.#kind)}${this.#kind}`,
      responses: answers([200, 201, 202], this.#definition),
      body: this.#body(),
      options: this.#options('create'),
    };
  }

  #watch(): Pick<Operation, 'method' | 'responses' | 'produces' | 'options'> {
    return {
      method: 'get',
      responses: answers([200], `${meta}WatchEvent`),
      produces: streamTypes,
      options: this.#options('list'),
    };
  }

  #body(): NonNullable<Route['body']> {
    return { definition: this.#definition ?? '', required: true };
  }

  #options(kind: keyof typeof optionsDefinitions): Parameter[] {
    return optionsParameters(optionsDefinitions[kind], this.#descriptions, { release: this.#release });
  }

  #add(path: string, operation: Operation, suffix = ''): void {
    const allNamespaces = suffix.endsWith('ForAllNamespaces');
    const namespaced = this.#storage.namespaced && !allNamespaces ? 'Namespaced' : '';
    // `deleteCoreV1CollectionNamespacedPod`, `connectCoreV1GetNamespacedPodProxy`: what follows the first verb comes
    // after the version.
    const name = `${operation.name}${namespaced}${this.#kind}${title(this.#subresource)}${suffix}`;
    const full = `${this.#base}/${path}`;
    const { operationId, tag } = operationIdAndTag(name, full);
    const parameters: Parameter[] =
      operation.pretty === false ? [] : [parameter('pretty', 'string', this.#descriptions)];
    append(parameters, unique(operation.options ?? []));
    if (path.includes('{namespace}'))
      parameters.push({ name: 'namespace', in: 'path', type: 'string', description: namespaceText });
    if (path.includes('{name}'))
      parameters.push({ name: 'name', in: 'path', type: 'string', description: `name of the ${this.#gvk.kind}` });
    if (path.endsWith('{path}'))
      parameters.push({ name: 'path', in: 'path', type: 'string', description: 'path to the resource' });
    this.#routes.push({
      method: operation.method,
      path: full,
      operationId,
      tag,
      description: operation.description,
      consumes: operation.consumes ?? anyType,
      produces: operation.produces ?? plainTypes,
      parameters,
      ...(operation.body === undefined ? {} : { body: operation.body }),
      responses: operation.responses,
      action: operation.action,
      gvk: this.#gvk,
    });
  }
}

const texts: ReadonlyMap<number, string> = new Map([
  [200, 'OK'],
  [201, 'Created'],
  [202, 'Accepted'],
]);

/** The same body for each code. */
export function answers(codes: readonly number[], definition: string | undefined): RouteResponse[] {
  return codes.map((code) => ({ code, description: texts.get(code) ?? '', definition }));
}

/** Members that two options kinds share count once. */
function unique(parameters: readonly Parameter[]): Parameter[] {
  return [...new Map(parameters.map((option) => [option.name, option])).values()];
}

/** With a capital first letter. */
export function title(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}

/** `a `, `an `, or nothing before plurals. */
export function article(noun: string): string {
  if (noun.endsWith('s') && !noun.endsWith('ss')) return '';
  return /^[aeiou]/i.test(noun) ? 'an ' : 'a ';
}
