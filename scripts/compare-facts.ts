/**
 * Tells what two recordings (see record-facts.ts) say otherwise, a line for each place: `- ` is only in the first,
 * `+ ` only in the second, `~ ` is another value. Ends with 1 when there is any.
 *
 *   node scripts/compare-facts.ts FOLDER OTHER-FOLDER
 *
 * Files that only one of them has are named. What differs between two runs of one release is left out: addresses, and
 * who is named first in a list that has no order.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

const [one, other] = process.argv.slice(2);
if (one === undefined || other === undefined) {
  process.stderr.write('usage: node scripts/compare-facts.ts FOLDER OTHER-FOLDER\n');
  process.exit(1);
}

/** Of the machine that was recorded. */
const OF_THE_RUN = new Set(['serverAddressByClientCIDRs', 'version.json']);
let differences = 0;
const tell = (line: string): void => {
  differences++;
  process.stdout.write(`${line}\n`);
};

const names = (folder: string): readonly string[] => globSync('**/*.{json,txt,yaml}', { cwd: folder });
for (const name of [...new Set([...names(one), ...names(other)])].sort()) {
  if (name.startsWith('wire-vectors/') || OF_THE_RUN.has(name)) continue;
  if (!existsSync(join(one, name))) tell(`+ ${name}`);
  else if (!existsSync(join(other, name))) tell(`- ${name}`);
  else compare(name, read(join(one, name)), read(join(other, name)));
}
process.exitCode = differences === 0 ? 0 : 1;

function read(path: string): unknown {
  const text = readFileSync(path, 'utf8');
  if (path.endsWith('.json')) return JSON.parse(text) as unknown;
  return path.endsWith('.yaml') ? (parse(text) as unknown) : text.split('\n').filter((line) => line !== '');
}

function compare(path: string, left: unknown, right: unknown): void {
  if (isTree(left) && isTree(right)) {
    const from = members(left);
    const to = members(right);
    for (const key of new Set([...from.keys(), ...to.keys()])) {
      if (OF_THE_RUN.has(key)) continue;
      const place = `${path} ${key}`;
      if (!to.has(key)) tell(`- ${place}: ${short(from.get(key))}`);
      else if (!from.has(key)) tell(`+ ${place}: ${short(to.get(key))}`);
      else compare(place, from.get(key), to.get(key));
    }
  } else if (JSON.stringify(left) !== JSON.stringify(right)) tell(`~ ${path}: ${short(left)} → ${short(right)}`);
}

function isTree(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Members of an object; items of a list by what they are called, texts by themselves. */
function members(value: object): ReadonlyMap<string, unknown> {
  if (!Array.isArray(value)) return new Map(Object.entries(value));
  return new Map(value.map((item: unknown, index) => [nameOf(item) ?? String(index), item]));
}

function nameOf(item: unknown): string | undefined {
  if (typeof item === 'string') return item;
  if (!isTree(item)) return undefined;
  const { n, emb, name, version, resource, subresource, metadata, kind, group } = item as Readonly<
    Record<string, unknown>
  >;
  if (isTree(metadata) && 'name' in metadata)
    return `${'namespace' in metadata ? String(metadata.namespace) : ''}/${String(metadata.name)}`;
  if (typeof kind === 'string' && typeof version === 'string' && typeof group === 'string' && name === undefined)
    return `${group}/${version}/${kind}`;
  const called = n ?? emb ?? name ?? resource ?? subresource ?? version;
  return typeof called === 'string' ? called : undefined;
}

function short(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
