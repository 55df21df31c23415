import type { Columns, Discovery } from '../generate/resources.ts';
import type { Server } from './server.ts';

type Document = NonNullable<Discovery[string]>;

/** `/api`, `/apis` and every group version that they name, by path. */
export async function recordDiscovery(server: Server): Promise<Record<string, Document>> {
  const documents: Record<string, Document> = {
    '/api': await server.json('/api'),
    '/apis': await server.json('/apis'),
    '/api/v1': await server.json('/api/v1'),
  };
  for (const { name, versions } of documents['/apis']?.groups ?? [])
    for (const { version } of versions)
      documents[`/apis/${name}/${version}`] = await server.json(`/apis/${name}/${version}`);
  return documents;
}

/** The aggregated form of discovery, version 2. */
export async function recordAggregatedDiscovery(server: Server): Promise<Record<string, unknown>> {
  const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
  return { '/api': await server.json('/api', accept), '/apis': await server.json('/apis', accept) };
}

/** Columns of every resource that can be listed, and the warnings that come with its lists, by path. */
export async function recordTables(
  server: Server,
  discovery: Discovery,
): Promise<{ readonly columns: Columns; readonly warnings: Readonly<Record<string, string>> }> {
  const columns: Record<string, Columns[string]> = {};
  const warnings: Record<string, string> = {};
  for (const [document, { resources = [] }] of Object.entries(discovery))
    for (const { name, verbs } of resources) {
      if (!verbs.includes('list')) continue;
      const path = `${document}/${name}`;
      const answer = await server.answer(`${path}?limit=1`, 'application/json;as=Table;v=v1;g=meta.k8s.io');
      const table = JSON.parse(answer.body) as { readonly columnDefinitions: Columns[string] };
      columns[path] = table.columnDefinitions.map((column) => ({
        name: column.name,
        type: column.type,
        format: column.format,
        priority: column.priority,
      }));
      // A warning of every answer is the version's, one of an object's would tell of `apiVersion` too.
      if (answer.warning !== undefined && / is deprecated in v/.test(answer.warning)) warnings[path] = answer.warning;
    }
  return { columns, warnings };
}
