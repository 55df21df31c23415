/**
 * Turns recorded facts about Kubernetes into the project's checked-in tables.
 *
 *   npm run generate -- FACTS-FOLDER            writes what changed
 *   npm run generate -- FACTS-FOLDER --check    fails when a table is out of date
 *
 * The facts folder holds openapi-v3-schemas.json, protobuf-fields.json, discovery.json and so on; what the
 * documents leave out comes from its go-types.json, or else from scripts/facts/go-types.json. What later releases
 * have dropped is in scripts/facts/removed-types.json.
 */
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { messagesOf, readFacts, withRemovedTypes } from './generate/facts.ts';
import type { GoFacts, OpenAPISchema, ProtobufFacts } from './generate/facts.ts';
import { bootstrapRoles } from './generate/bootstrap-roles.ts';
import { kindTable } from './generate/kinds.ts';
import { openAPIExtras } from './generate/openapi-extras.ts';
import { jsonLines, Output } from './generate/output.ts';
import { resourceTable } from './generate/resources.ts';
import { optionalResourceTable } from './generate/optional-resources.ts';
import type { Columns, Discovery, EtcdPaths } from './generate/resources.ts';
import { isServed, schemaTable } from './generate/schemas.ts';
import { typeFiles } from './generate/types.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const args = process.argv.slice(2).filter((arg) => arg !== '--check');
const check = process.argv.includes('--check');
const folder = args[0] === undefined ? undefined : resolve(args[0]);
if (folder === undefined || !existsSync(join(folder, 'openapi-v3-schemas.json'))) {
  process.stderr.write(
    folder === undefined
      ? 'usage: npm run generate -- FACTS-FOLDER [--check]\n'
      : `generate: no openapi-v3-schemas.json in ${folder}\n`,
  );
  process.exit(1);
}

const facts = join(root, 'scripts/facts');
const removed = readFacts<GoFacts>(facts, 'removed-types.json');
const go = withRemovedTypes(
  readFacts<GoFacts>(existsSync(join(folder, 'go-types.json')) ? folder : facts, 'go-types.json'),
  removed,
);
const openapi = readFacts<Record<string, OpenAPISchema>>(folder, 'openapi-v3-schemas.json');
const protobuf = { ...readFacts<ProtobufFacts>(folder, 'protobuf-fields.json'), ...messagesOf(removed) };
const output = new Output(root);

const schemas = schemaTable(go, openapi, protobuf);
const apimachinery = 'packages/apimachinery/src/generated';
output.add(`${apimachinery}/schemas.json`, `{"definitions":${jsonLines(Object.fromEntries(schemas))}}`);
const kinds = kindTable(go, openapi);
const rows = (list: readonly unknown[]): string => `[\n${list.map((row) => JSON.stringify(row)).join(',\n')}\n]`;
output.add(`${apimachinery}/kinds.json`, `{"groupVersions":${rows(kinds)}}`);

const discovery = readFacts<Discovery>(folder, 'discovery.json');
const etcd = readFacts<EtcdPaths>(folder, 'etcd-paths.json');
const resources = resourceTable(discovery, etcd, readFacts<Columns>(folder, 'table-columns.json'), go);
output.add(
  `${apimachinery}/resources.json`,
  `{"groups":${rows(resources.groups)},"resources":${rows(resources.resources)}}`,
);
if (existsSync(join(folder, 'optional'))) {
  const all = {
    discovery: readFacts<Discovery>(folder, 'optional/discovery.json'),
    columns: readFacts<Columns>(folder, 'optional/table-columns.json'),
    warnings: readFacts<Readonly<Record<string, string>>>(folder, 'optional/warnings.json'),
  };
  const optional = optionalResourceTable(all, discovery, { etcd, go });
  output.add(`${apimachinery}/optional-resources.json`, `{"resources":${rows(optional)}}`);
}
const isPublished = (definition: string): boolean =>
  isServed(definition, openapi) || removed.types[definition] !== undefined;
for (const [file, text] of typeFiles(schemas, kinds, isPublished)) output.add(`${apimachinery}/types/${file}`, text);

output.add('packages/apiserver/src/openapi/generated/schema-extras.json', openAPIExtras(openapi));
output.add(
  'packages/apiserver/src/authorization/rbac/generated/bootstrap-roles.json',
  bootstrapRoles(join(folder, 'rbac-bootstrap')),
);

const changed = check ? output.check() : output.write();
if (check && changed.length > 0) {
  process.stderr.write(`out of date, run npm run generate:\n${changed.map((path) => `  ${path}\n`).join('')}`);
  process.exit(1);
}
process.stdout.write(changed.length === 0 ? 'up to date\n' : changed.map((path) => `wrote ${path}\n`).join(''));
