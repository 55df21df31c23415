import type { Client } from '../harness/client.ts';

/** Groups that an APIService of the server's own stands for. */
const BUILT_IN = /\.k8s\.io\//;
const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** What is looked at of a CustomResourceDefinition. */
interface Definition {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly group: string;
    readonly versions: readonly { readonly name: string; readonly served: boolean }[];
    readonly conversion?: { readonly strategy?: string };
  };
}

/**
 * Defines kinds on both servers, and waits until both serve them and the last one tells of their schemas. Definitions
 * whose versions a webhook converts are left out, and those that one of the two refuses.
 * @returns the versions that are served, `example.com/v1`
 */
export async function defineKinds(both: readonly Client[], samples: readonly object[]): Promise<ReadonlySet<string>> {
  const made = new Map<string, Definition>();
  for (const definition of samples as readonly Definition[]) {
    const { name } = definition.metadata;
    if (definition.spec.conversion?.strategy === 'Webhook' || made.has(name)) continue;
    const answers = await Promise.all(both.map((client) => client.post(DEFINITIONS, definition)));
    if (answers.every(({ status }) => status === 201)) made.set(name, definition);
  }
  const served = new Set<string>();
  for (const [name, { spec }] of made) {
    await Promise.all(both.map((client) => client.until(`${DEFINITIONS}/${name}`, ({ body }) => isEstablished(body))));
    for (const version of spec.versions) if (version.served) served.add(`${spec.group}/${version.name}`);
  }
  await both.at(-1)?.until('/openapi/v3', ({ text }) => {
    const { paths } = JSON.parse(text) as { readonly paths: object };
    return [...served].every((version) => BUILT_IN.test(version) || `apis/${version}` in paths);
  });
  // Some are never served: their group is one that the servers have themselves.
  const found = new Set<string>();
  for (const version of served) {
    const answers = await Promise.all(both.map((client) => client.get(`/apis/${version}`)));
    if (answers.every(({ status }) => status === 200)) found.add(version);
  }
  return found;
}

function isEstablished(definition: unknown): boolean {
  const { status } = definition as { readonly status?: { readonly conditions?: readonly Record<string, string>[] } };
  return (status?.conditions ?? []).some(({ status: is, type }) => type === 'Established' && is === 'True');
}
