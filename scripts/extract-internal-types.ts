/**
 * Reads the internal Go types of a Kubernetes source tree (pkg/apis) and writes how they print as JSON: fields in
 * Go's order under Go's names. Error texts of kube-apiserver print values of these types.
 *
 *   node scripts/extract-internal-types.ts PATH-TO-KUBERNETES-1.36 >
 *   packages/kube-apiserver/src/registry/generated/internal-types.json
 *
 * A type is text: its fields, separated by blanks, each `Name:shape`, or `:shape` for an embedded struct, whose fields
 * stand in its place.
 * A shape is `s` text, `i` number, `b` boolean, `q` quantity, `t` time, `d` duration, `o` number or text, `y` bytes,
 * `x` what prints as in
 * the published API, `m` its metadata, or the name of a type; before it `*` for a pointer, `[` for a list, `{` for a
 * map of text.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const groups = [
  'core',
  'apps',
  'batch',
  'networking',
  'policy',
  'autoscaling',
  'storage',
  'rbac',
  'discovery',
  'scheduling',
  'node',
  'coordination',
  'certificates',
  'flowcontrol',
  'admissionregistration',
  'resource',
];
const leaves: Readonly<Record<string, string>> = {
  string: 's',
  bool: 'b',
  int: 'i',
  int32: 'i',
  int64: 'i',
  uint16: 'i',
  float64: 'i',
  '[]byte': 'y',
  'resource.Quantity': 'q',
  'metav1.Time': 't',
  'metav1.MicroTime': 't',
  'metav1.Duration': 'd',
  'intstr.IntOrString': 'o',
  'types.UID': 's',
  'types.NodeName': 's',
  'metav1.ObjectMeta': 'm',
};
/** Longer Go names of packages, as files import them. */
const packages: Readonly<Record<string, string>> = {
  api: 'core',
  v1: 'core',
  apps: 'apps',
  core: 'core',
  networking: 'networking',
  autoscaling: 'autoscaling',
};

const tree = process.argv[2];
if (tree === undefined) {
  process.stderr.write('usage: node scripts/extract-internal-types.ts KUBERNETES-SOURCE-TREE\n');
  process.exit(1);
}

const sources = groups
  .map((group) => ({
    group,
    text: readFileSync(join(tree, 'pkg/apis', group, 'types.go'), 'utf8').replace(/\/\*[\s\S]*?\*\//g, ''),
  }))
  .filter(({ group }) => existsSync(join(tree, 'pkg/apis', group)));
const aliases = new Map<string, string>();
for (const { group, text } of sources)
  for (const [, name = '', type = ''] of text.matchAll(/^type (\w+) (?!struct\b)(.+?)(?:\s*\/\/.*)?$/gm))
    aliases.set(`${group}.${name}`, type);

function shapeOf(type: string, group: string): string {
  if (leaves[type] !== undefined) return leaves[type];
  if (type.startsWith('*')) return `*${shapeOf(type.slice(1), group)}`;
  if (type.startsWith('[]')) return `[${shapeOf(type.slice(2), group)}`;
  const map = /^map\[[\w.]+\](.+)$/.exec(type);
  if (map !== null) return `{${shapeOf(map[1] ?? '', group)}`;
  const [owner, name] = type.includes('.') ? type.split('.') : [group, type];
  const full = `${packages[owner ?? ''] ?? owner}.${name}`;
  const alias = aliases.get(full);
  if (alias !== undefined) return shapeOf(alias, full.split('.')[0] ?? '');
  return groups.includes(full.split('.')[0] ?? '') ? full : 'x';
}

const types = new Map<string, string>();
for (const { group, text } of sources) {
  for (const [, name = '', body = ''] of text.matchAll(/^type (\w+) struct \{\n([\s\S]*?)^\}/gm)) {
    if (name.endsWith('List') && /\bmetav1\.ListMeta\b/.test(body)) continue;
    const fields = body
      .split('\n')
      .map((line) => line.replace(/\/\/.*$/, '').trim())
      .filter((line) => line !== '' && line !== 'metav1.TypeMeta');
    types.set(
      `${group}.${name}`,
      fields
        .flatMap((line) => {
          const words = line.split(/\s+/);
          if (words.length === 1) return [`:${shapeOf(line, group)}`];
          return words
            .slice(
              0,
              words.findLastIndex((word) => word !== ''),
            )
            .map((field) => `${field.replace(/,$/, '')}:${shapeOf(words.at(-1) ?? '', group)}`);
        })
        .join(' '),
    );
  }
}
process.stdout.write(
  `{\n${[...types].map(([name, fields]) => `${JSON.stringify(name)}:${JSON.stringify(fields)}`).join(',\n')}\n}\n`,
);
