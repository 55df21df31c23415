import { LaunchError } from '../launch-error.ts';
import type { JSONClient } from '../testing/json-client.ts';
import { startOfflineServer } from './offline-server.ts';
import { ResourcePaths, type FoundResource } from './resource-paths.ts';
import type { SourceObject, Sources } from './source-object.ts';

/** A question about rights. */
export interface CanIQuestion {
  readonly verb: string;
  /** `pods`, `deploy`, `deployments.apps/status`, or a path: `/metrics`. */
  readonly resource: string;
  readonly name: string | undefined;
  readonly namespace: string;
  readonly user: string;
  readonly groups: readonly string[];
}

/** What RBAC says. */
export interface CanIAnswer {
  readonly allowed: boolean;
  /** The binding and role that allow it. */
  readonly reason: string;
}

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

const group = 'rbac.authorization.k8s.io/';

/**
 * Has the servers' own authorizer judge the roles and bindings of files, besides the bootstrap roles.
 * @throws LaunchError for a rule that the servers refuse, and for a resource that nobody has
 */
export async function canI(sources: Sources, question: CanIQuestion): Promise<CanIAnswer> {
  const [error] = sources.errors;
  if (error !== undefined) throw new LaunchError('Usage', `${error.place.file}:${error.place.line}: ${error.message}`);
  const servers = startOfflineServer({ rights: true });
  try {
    return await judge(servers, sources, question);
  } finally {
    await servers.close();
  }
}

async function judge(client: JSONClient, sources: Sources, question: CanIQuestion): Promise<CanIAnswer> {
  const wanted = sources.objects.filter(isUseful);
  for (const kinds of [
    ['Namespace', 'CustomResourceDefinition'],
    ['ClusterRole', 'Role'],
    ['ClusterRoleBinding', 'RoleBinding'],
  ])
    for (const source of wanted)
      if (kinds.includes((source.value as Manifest).kind)) await create(client, source, question.namespace);
  const attributes = question.resource.startsWith('/')
    ? { nonResourceAttributes: { path: question.resource, verb: question.verb } }
    : { resourceAttributes: await resourceAttributes(client, question) };
  const answer = await client.send<{ readonly status: { readonly allowed?: boolean; readonly reason?: string } }>({
    method: 'POST',
    path: '/apis/authorization.k8s.io/v1/subjectaccessreviews',
    body: { spec: { ...attributes, user: question.user, groups: groupsOf(question) } },
  });
  return { allowed: answer.status.allowed === true, reason: answer.status.reason ?? '' };
}

function isUseful({ value }: SourceObject): boolean {
  const { apiVersion, kind } = (value ?? {}) as Partial<Manifest>;
  return apiVersion?.startsWith(group) === true || kind === 'Namespace' || kind === 'CustomResourceDefinition';
}

/** The groups that somebody has by being who they are. */
function groupsOf({ groups, user }: CanIQuestion): readonly string[] {
  const [, namespace] = /^system:serviceaccount:([^:]+):[^:]+$/.exec(user) ?? [];
  const own = namespace === undefined ? [] : ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];
  return [...groups, ...own, ...(user === 'system:anonymous' ? ['system:unauthenticated'] : ['system:authenticated'])];
}

async function create(client: JSONClient, source: SourceObject, namespace: string): Promise<void> {
  const manifest = source.value as Manifest;
  const { apiVersion, kind, metadata } = manifest;
  const resource = await new ResourcePaths(client).find(apiVersion, kind);
  const home = metadata.namespace ?? namespace;
  const within = resource?.namespaced === true ? `/namespaces/${home}` : '';
  if (within !== '')
    await client.ask({ method: 'POST', path: '/api/v1/namespaces', body: { metadata: { name: home } } });
  const path = `${ResourcePaths.base(apiVersion)}${within}/${resource?.name ?? kind.toLowerCase()}`;
  const { status, text } = await client.ask({ method: 'POST', path, body: manifest });
  // Bootstrap roles are there already.
  if (status < 300 || status === 409) return;
  const { file, line } = source.place();
  const { message } = JSON.parse(text) as { readonly message?: string };
  throw new LaunchError('Usage', `${file}:${line}: ${message ?? text}`);
}

async function resourceAttributes(
  client: JSONClient,
  { name, namespace, resource, verb }: CanIQuestion,
): Promise<object> {
  const [full = '', subresource] = resource.split('/', 2);
  const found = await resourceNamed(client, full);
  if (found === undefined && full !== '*')
    throw new LaunchError('Usage', `the servers have no resource ${JSON.stringify(full)}; name its group: NAME.GROUP`);
  return {
    verb,
    group: found?.group ?? '*',
    resource: found?.resource.name ?? '*',
    ...(subresource === undefined ? {} : { subresource }),
    ...(name === undefined ? {} : { name }),
    ...(found?.resource.namespaced === false ? {} : { namespace }),
  };
}

/** By plural, singular or short name; `NAME.GROUP` also where nobody serves it. */
async function resourceNamed(
  client: JSONClient,
  full: string,
): Promise<{ readonly group: string; readonly resource: Pick<FoundResource, 'name' | 'namespaced'> } | undefined> {
  const [name = '', ...rest] = full.split('.');
  const wanted = rest.join('.');
  const paths = new ResourcePaths(client);
  const { groups } = await client.send<{
    readonly groups: readonly { readonly name: string; readonly preferredVersion: { readonly groupVersion: string } }[];
  }>({ method: 'GET', path: '/apis' });
  const all = [
    { name: '', version: 'v1' },
    ...groups.map((of) => ({ name: of.name, version: of.preferredVersion.groupVersion })),
  ];
  for (const of of all) {
    if (wanted !== '' && of.name !== wanted) continue;
    const resource = (await paths.of(of.version)).find(
      (one) => one.name === name || one.singularName === name || one.shortNames?.includes(name) === true,
    );
    if (resource !== undefined) return { group: of.name, resource };
  }
  return wanted === '' ? undefined : { group: wanted, resource: { name, namespaced: true } };
}
