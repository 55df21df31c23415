/**
 * Finds out which alpha and beta APIs a kube-apiserver has that it does not serve by default:
 *
 *   node scripts/extract-optional-resources.ts FACTS-FOLDER https://HOST:PORT TOKEN
 *
 * The server must run with `--runtime-config=api/all=true` and the default feature gates, and TOKEN be an
 * administrator's. FACTS-FOLDER is that of `npm run generate`: what its discovery.json lists is served by default.
 * Writes optional-resources.json of packages/apimachinery.
 */
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readFacts } from './generate/facts.ts';
import type { GoFacts } from './generate/facts.ts';
import { Output } from './generate/output.ts';
import { resourceTable } from './generate/resources.ts';
import type { Columns, Discovery, EtcdPaths } from './generate/resources.ts';

interface ResourceRow {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [folderArgument, server, token] = process.argv.slice(2);
if (folderArgument === undefined || server === undefined || token === undefined) {
  process.stderr.write('usage: node scripts/extract-optional-resources.ts FACTS-FOLDER https://HOST:PORT TOKEN\n');
  process.exit(1);
}
const folder = resolve(folderArgument);

/** `299 - "text"` of the last answers, by path. */
const warnings = new Map<string, string>();

async function ask(path: string, accept = 'application/json'): Promise<unknown> {
  const response = await fetch(`${server ?? ''}${path}`, {
    headers: { accept, authorization: `Bearer ${token ?? ''}` },
  });
  if (!response.ok) throw new Error(`${path}: ${String(response.status)} ${await response.text()}`);
  const warning = /^299 - "(.*)"$/.exec(response.headers.get('warning') ?? '')?.[1];
  if (warning !== undefined) warnings.set(path, warning);
  return response.json();
}

const byDefault = readFacts<Discovery>(folder, 'discovery.json');
const groups = (await ask('/apis')) as NonNullable<Discovery[string]>;
const discovery: Record<string, NonNullable<Discovery[string]>> = { '/apis': groups };
const columns: Record<string, Columns[string]> = {};
for (const { name, versions } of groups.groups ?? []) {
  for (const { version } of versions) {
    const path = `/apis/${name}/${version}`;
    const known = new Set(byDefault[path]?.resources?.map((resource) => resource.name));
    const list = (await ask(path)) as NonNullable<Discovery[string]>;
    const resources = (list.resources ?? []).filter((resource) => !known.has(resource.name));
    discovery[path] = { resources };
    for (const resource of resources) {
      if (!resource.verbs.includes('list')) continue;
      const table = (await ask(`${path}/${resource.name}`, 'application/json;as=Table;v=v1;g=meta.k8s.io')) as {
        readonly columnDefinitions: Columns[string];
      };
      columns[`${path}/${resource.name}`] = table.columnDefinitions.map(({ format, name: title, priority, type }) => ({
        name: title,
        type,
        format,
        priority,
      }));
    }
  }
}

const { resources } = resourceTable(
  discovery,
  readFacts<EtcdPaths>(folder, 'etcd-paths.json'),
  columns,
  readFacts<GoFacts>(join(root, 'scripts/facts'), 'go-types.json'),
);
const output = new Output(root);
const rows = (resources as ResourceRow[])
  .map((row) => {
    const deprecationWarning = warnings.get(`/apis/${row.group}/${row.version}/${row.resource}`);
    return JSON.stringify(deprecationWarning === undefined ? row : { ...row, deprecationWarning });
  })
  .join(',\n');
output.add('packages/apimachinery/src/generated/optional-resources.json', `{"resources":[\n${rows}\n]}`);
process.stdout.write(
  output
    .write()
    .map((path) => `wrote ${path}\n`)
    .join(''),
);
