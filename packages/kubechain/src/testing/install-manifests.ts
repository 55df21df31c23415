import { setTimeout as delay } from 'node:timers/promises';
import { LaunchError } from '../launch-error.ts';
import { APIError, type JSONClient } from './json-client.ts';
import type { Manifest } from './read-manifests.ts';

/** Longest wait for custom resources to be served. */
const ESTABLISHED_TIMEOUT_MS = 30_000;
const LOOK_MS = 10;
/** What has to be there before others can be. */
const FIRST = ['CustomResourceDefinition', 'Namespace', 'ServiceAccount'];

interface ResourceList {
  readonly resources: readonly { readonly name: string; readonly kind: string; readonly namespaced: boolean }[];
}

/**
 * Applies objects by server-side apply: definitions of custom resources first, which are served when this resolves,
 * then namespaces, then the rest in the order given. Objects without a namespace go to `default`.
 * @throws LaunchError in one line that names the object
 */
export async function installManifests(client: JSONClient, manifests: readonly Manifest[]): Promise<void> {
  const rank = ({ kind }: Manifest): number => (FIRST.includes(kind) ? FIRST.indexOf(kind) : FIRST.length);
  const definitions = manifests.filter(({ kind }) => kind === FIRST[0]);
  await Promise.all(definitions.map((manifest) => apply(client, manifest)));
  await Promise.all(definitions.map((manifest) => established(client, manifest.metadata.name)));
  for (const manifest of manifests.toSorted((a, b) => rank(a) - rank(b)))
    if (manifest.kind !== FIRST[0]) await apply(client, manifest);
}

async function apply(client: JSONClient, manifest: Manifest): Promise<void> {
  const { apiVersion, kind, metadata } = manifest;
  const base = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  try {
    const { resources } = await client.send<ResourceList>({ method: 'GET', path: base });
    const resource = resources.find((candidate) => candidate.kind === kind && !candidate.name.includes('/'));
    if (resource === undefined) throw new LaunchError('Usage', 'the server has no such kind');
    const namespace = resource.namespaced ? `/namespaces/${metadata.namespace ?? 'default'}` : '';
    await client.send({
      method: 'PATCH',
      path:
        `${base}${namespace}/${resource.name}/${encodeURIComponent(metadata.name)}?fieldManager=kubechain&` +
        'force=true',
      contentType: 'application/apply-patch+yaml',
      body: manifest,
    });
  } catch (cause) {
    throw new LaunchError('Usage', `${apiVersion} ${kind} '${metadata.name}': ${(cause as Error).message}`, { cause });
  }
}

interface Definition {
  readonly spec: {
    readonly group: string;
    readonly versions: readonly { readonly name: string; readonly served: boolean }[];
  };
  readonly status?: {
    readonly conditions?: readonly { readonly type: string; readonly status: string; readonly message?: string }[];
  };
}

/** Resolves when a definition is served, in all its versions. @throws LaunchError when it will not be */
export async function established(client: JSONClient, name: string): Promise<void> {
  const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${name}`;
  const deadline = performance.now() + ESTABLISHED_TIMEOUT_MS;
  for (;;) {
    const { spec, status } = await client.send<Definition>({ method: 'GET', path });
    const refused = status?.conditions?.find(
      (condition) => condition.type === 'NamesAccepted' && condition.status === 'False',
    );
    if (refused !== undefined)
      throw new LaunchError('Usage', `CustomResourceDefinition '${name}': ${refused.message ?? ''}`);
    if (
      status?.conditions?.some((condition) => condition.type === 'Established' && condition.status === 'True') === true
    ) {
      const served = spec.versions.filter((version) => version.served);
      const answers = await Promise.all(
        served.map((version) => discovered(client, `/apis/${spec.group}/${version.name}`, name)),
      );
      if (answers.every(Boolean)) return;
    }
    if (performance.now() > deadline)
      throw new LaunchError(
        'Timeout',
        `CustomResourceDefinition '${name}' is not served after ${ESTABLISHED_TIMEOUT_MS / 1000} s`,
      );
    await delay(LOOK_MS);
  }
}

async function discovered(client: JSONClient, path: string, definition: string): Promise<boolean> {
  try {
    const { resources } = await client.send<ResourceList>({ method: 'GET', path });
    return resources.some(({ name }) => definition.startsWith(`${name}.`));
  } catch (error) {
    if (error instanceof APIError && (error.status === 404 || error.status === 503)) return false;
    throw error;
  }
}
