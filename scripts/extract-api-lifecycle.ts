/**
 * Reads when Kubernetes' API versions came, were deprecated and go, off the API types' own lifecycle functions.
 *
 *   node scripts/extract-api-lifecycle.ts API-MODULE [KUBE-AGGREGATOR/pkg/apis APIEXTENSIONS-APISERVER/pkg/apis] >
 *   packages/kubechain/src/offline/generated/api-lifecycle.json
 *
 * A row is [introduced, deprecated, removed, replacement] by minor versions of Kubernetes 1; 0 and '' are for nothing.
 * Only needed when the reference version changes.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

type Row = [introduced: number, deprecated: number, removed: number, replacement: string];

const members = ['Introduced', 'Deprecated', 'Removed'];
const table: Record<string, Record<string, Row>> = {};
for (const root of process.argv.slice(2))
  for (const name of globSync('**/{zz_generated.prerelease-lifecycle,lifecycle}.go', { cwd: root }).sort()) {
    const folder = dirname(join(root, name));
    const kinds = (table[versionName(groupOf(folder), basename(folder))] ??= {});
    const functions = /^func \(in \*(\w+)\) APILifecycle(\w+)\(\)[^{]*\{\n([^\n]*)/gm;
    for (const [, kind = '', what = '', body = ''] of readFileSync(join(root, name), 'utf8').matchAll(functions)) {
      if (kind.endsWith('List')) continue;
      const row = (kinds[kind] ??= [0, 0, 0, '']);
      if (what === 'Replacement') row[3] = replacementOf(body);
      else row[members.indexOf(what) as 0 | 1 | 2] = Number(/return 1, (\d+)/.exec(body)?.[1]);
    }
  }
const lines = Object.entries(table)
  .sort(([one], [other]) => (one < other ? -1 : 1))
  .map(([version, kinds]) => `  ${JSON.stringify(version)}: ${JSON.stringify(kinds)}`);
process.stdout.write(`{\n${lines.join(',\n')}\n}\n`);

function groupOf(folder: string): string {
  for (const file of [join(folder, 'register.go'), join(dirname(folder), 'register.go')]) {
    const found = existsSync(file) ? /GroupName\s*=\s*"([^"]*)"/.exec(readFileSync(file, 'utf8')) : null;
    if (found !== null) return found[1] ?? '';
  }
  throw new Error(`${folder} has no group`);
}

function replacementOf(body: string): string {
  const part = (name: string): string => new RegExp(`${name}: ?"([^"]*)"`).exec(body)?.[1] ?? '';
  return `${versionName(part('Group'), part('Version'))} ${part('Kind')}`;
}

function versionName(group: string, version: string): string {
  return group === '' ? version : `${group}/${version}`;
}
