/**
 * Turns recorded facts about Kubernetes into the project's checked-in tables.
 *
 *   npm run generate -- FACTS-FOLDER                   writes what changed
 *   npm run generate -- FACTS-FOLDER --check           fails when a table is out of date
 *   npm run generate -- FACTS-FOLDER --from 1.36       writes what the release says otherwise than its neighbour
 *
 * The facts folder is what record-facts.ts has written. What its documents leave out comes from its go-types.json, or
 * else from scripts/facts/go-types.json.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { knownReleases, loadRelease } from '../packages/apimachinery/src/builtin/load-release.ts';
import { readFacts } from './generate/facts.ts';
import { mergedGates } from './generate/gate-history.ts';
import { openAPIExtras } from './generate/openapi-extras.ts';
import { jsonLines, Output, rows } from './generate/output.ts';
import { releaseChanges } from './generate/release-changes.ts';
import { releaseTables } from './generate/release-tables.ts';
import type { ReleaseTables } from './generate/release-tables.ts';
import type { GateHistory } from './record/feature-history.ts';
import { isServed } from './generate/schemas.ts';
import { typeFiles } from './generate/types.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { check: { type: 'boolean', default: false }, from: { type: 'string' } },
});
const folder = positionals[0] === undefined ? undefined : resolve(positionals[0]);
if (folder === undefined || !existsSync(join(folder, 'openapi-v3-schemas.json'))) {
  process.stderr.write(
    folder === undefined
      ? 'usage: npm run generate -- FACTS-FOLDER [--from RELEASE] [--check]\n'
      : `generate: no openapi-v3-schemas.json in ${folder}\n`,
  );
  process.exit(1);
}

const apimachinery = 'packages/apimachinery/src/generated';
const output = new Output(root);
const tables = releaseTables(folder, join(root, 'scripts/facts'));
if (values.from === undefined) addTables(tables);
else await addChanges(folder, tables, values.from);

if (tables.gates !== undefined) addGates(folder, tables.gates);
if (tables.gated !== undefined) addGated(folder, tables.gated);

if (values.from === undefined) addMetrics(folder);

const changed = values.check ? output.check() : output.write();
if (values.check && changed.length > 0) {
  process.stderr.write(`out of date, run npm run generate:\n${changed.map((path) => `  ${path}\n`).join('')}`);
  process.exit(1);
}
process.stdout.write(changed.length === 0 ? 'up to date\n' : changed.map((path) => `wrote ${path}\n`).join(''));

/** Of all releases in one table, which has what each gate was since when. */
function addGates(facts: string, gates: Readonly<Record<string, unknown>>): void {
  const { major, minor } = readFacts<{ major: string; minor: string }>(facts, 'version.json');
  const release = `${major}.${minor}`;
  const path = 'packages/apiserver/src/options/generated/feature-gates.json';
  const known = readFacts<GateHistory>(root, path);
  const releases = [...knownReleases.map(({ version }) => version), release];
  output.add(path, jsonLines(mergedGates(known, gates as GateHistory, { release, releases })));
}

/** Of all releases in one file, by release: what a server with its defaults never loads is not worth one each. */
function addGated(facts: string, gated: readonly unknown[]): void {
  const { major, minor } = readFacts<{ major: string; minor: string }>(facts, 'version.json');
  const path = `${apimachinery}/gated-resources.json`;
  const known = existsSync(join(root, path)) ? readFacts<Readonly<Record<string, readonly unknown[]>>>(root, path) : {};
  const all = Object.entries({ ...known, [`${major}.${minor}`]: gated }).toSorted(([a], [b]) => (a < b ? -1 : 1));
  output.add(path, `{${all.map(([release, list]) => `${JSON.stringify(release)}:${rows(list)}`).join(',')}}`);
}

function addTables({ kinds, openapi, removed, schemas, ...tables }: ReleaseTables): void {
  output.add(`${apimachinery}/schemas.json`, `{"definitions":${jsonLines(Object.fromEntries(schemas))}}`);
  output.add(`${apimachinery}/kinds.json`, `{"groupVersions":${rows(kinds)}}`);
  output.add(
    `${apimachinery}/resources.json`,
    `{"groups":${rows(tables.groups)},"resources":${rows(tables.resources)}}`,
  );
  if (tables.optional !== undefined)
    output.add(`${apimachinery}/optional-resources.json`, `{"resources":${rows(tables.optional)}}`);
  const isPublished = (definition: string): boolean =>
    isServed(definition, openapi) || removed.types[definition] !== undefined;
  for (const [file, text] of typeFiles(schemas, kinds, isPublished)) output.add(`${apimachinery}/types/${file}`, text);
  output.add('packages/apiserver/src/openapi/generated/schema-extras.json', jsonLines(openAPIExtras(openapi)));
  output.add(
    'packages/apiserver/src/authorization/rbac/generated/bootstrap-roles.json',
    `{\n${Object.entries(tables.roles)
      .map(([name, list]) => `${JSON.stringify(name)}:${rows(list)}`)
      .join(',\n')}\n}`,
  );
}

/** Names and types of what a fresh server shows, for docs/reference-parity.md. */
function addMetrics(facts: string): void {
  const lines = readFileSync(join(facts, 'metrics.txt'), 'utf8').trim().split('\n');
  output.add(
    'test-e2e/src/parity/generated/reference-metrics.json',
    `{\n${lines.map((line) => line.replace(/^(\S+) (\S+)$/, '  "$1": "$2"')).join(',\n')}\n}`,
  );
}

async function addChanges(facts: string, tables: ReleaseTables, from: string): Promise<void> {
  const neighbour = await loadRelease(from);
  if (neighbour === undefined) throw new Error(`--from: ${from} is not among ${apimachinery}/releases`);
  const { gitVersion, major, minor } = readFacts<{ gitVersion: string; major: string; minor: string }>(
    facts,
    'version.json',
  );
  const names = { version: `${major}.${minor}`, gitVersion };
  const changes = releaseChanges(tables, names, { neighbour, root });
  output.add(
    `${apimachinery}/releases/${names.version}.json`,
    `{${Object.entries(changes)
      .map(([name, list]) => `${JSON.stringify(name)}:${rows(list)}`)
      .join(',')}}`,
  );
  const before = new Set(groupVersions([...neighbour.resources, ...neighbour.optional]));
  const own = [...tables.resources, ...(tables.optional ?? []), ...(tables.gated ?? [])];
  const added = groupVersions(own).filter((name) => !before.has(name));
  const row = { ...names, from, groupVersions: added };
  const all = [...knownReleases.filter(({ version }) => version !== names.version), row];
  const minorOf = ({ version }: { readonly version: string }): number => Number(version.split('.')[1]);
  output.add(
    `${apimachinery}/releases/index.json`,
    `{"releases":${rows(all.toSorted((a, b) => minorOf(a) - minorOf(b)))}}`,
  );
}

function groupVersions(resources: readonly unknown[]): readonly string[] {
  const names = (resources as readonly { readonly group: string; readonly version: string }[]).map(
    ({ group, version }) => (group === '' ? version : `${group}/${version}`),
  );
  return [...new Set(names)];
}
