/**
 * Reads the columns that kube-apiserver prints for each built-in kind, with their descriptions, off a Kubernetes
 * source tree (pkg/printers/internalversion and the API types' documentation).
 *
 *   node scripts/extract-table-columns.ts PATH-TO-KUBERNETES-1.36 >
 *   packages/kube-apiserver/src/registry/generated/table-columns.json
 *
 * Only needed when the reference version changes.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const tree = process.argv[2];
if (tree === undefined) {
  process.stderr.write('usage: node scripts/extract-table-columns.ts KUBERNETES-SOURCE-TREE\n');
  process.exit(1);
}
const source = readFileSync(join(tree, 'pkg/printers/internalversion/printers.go'), 'utf8');
const imports = new Map(
  [...source.matchAll(/^\t(?:(\w+) )?"(k8s\.io\/[^"]+)"/gm)].map(([, alias, path = '']) => [
    alias ?? path.split('/').at(-1) ?? '',
    path,
  ]),
);

/** Documentation of the fields of one package's types: type → field → text. */
const documentation = new Map<string, Map<string, string>>();
function describe(alias: string, type: string, field: string): string {
  const path = imports.get(alias) ?? '';
  let types = documentation.get(path);
  if (types === undefined) {
    types = new Map();
    documentation.set(path, types);
    const text = readFileSync(join(tree ?? '', 'staging/src', path, 'types_swagger_doc_generated.go'), 'utf8');
    for (const [, name = '', body = ''] of text.matchAll(/^var map_(\w+) = map\[string\]string\{\n([\s\S]*?)^\}/gm)) {
      for (const [, key = '', value = ''] of body.matchAll(/^\t"([^"]*)":\s+("(?:[^"\\]|\\.)*"),$/gm))
        types.set(`${name}.${key}`, JSON.parse(value) as string);
    }
  }
  return types.get(`${type}.${field}`) ?? '';
}

interface Column {
  name: string;
  type: string;
  format: string;
  description: string;
  priority: number;
}

/** Types of fields that a column's documentation is reached through. */
const through = new Map([['Event.InvolvedObject', 'ObjectReference']]);

function column(text: string): Column {
  const read = (name: string): string => new RegExp(`\\b${name}: "((?:[^"\\\\]|\\\\.)*)"`).exec(text)?.[1] ?? '';
  const documented = /Description: (\w+)\.(\w+)\{\}(?:\.(\w+))?\.SwaggerDoc\(\)\["(\w+)"\]/.exec(text);
  const [, alias = '', type = '', member, field = ''] = documented ?? [];
  const description =
    documented === null
      ? (JSON.parse(`"${read('Description')}"`) as string)
      : describe(alias, member === undefined ? type : (through.get(`${type}.${member}`) ?? ''), field);
  return {
    name: read('Name'),
    type: read('Type'),
    format: read('Format'),
    description,
    priority: Number(/Priority: (\d+)/.exec(text)?.[1] ?? 0),
  };
}

const columnSets = new Map(
  [...source.matchAll(/^\t(\w+) := \[\]metav1\.TableColumnDefinition\{\n([\s\S]*?)^\t\}/gm)].map(
    ([, name = '', body = '']) => [
      name,
      [...body.matchAll(/^\t\t\{(Name: .*)\},$/gm)].map(([, text = '']) => column(text)),
    ],
  ),
);
for (const [, name = '', body = ''] of source.matchAll(
  /^\t(\w+) = append\(\w+, \[\]metav1\.TableColumnDefinition\{\n([\s\S]*?)^\t\}\.\.\.\)/gm,
)) {
  columnSets.get(name)?.push(...[...body.matchAll(/^\t\t\{(Name: .*)\},$/gm)].map(([, text = '']) => column(text)));
}
const kinds = new Map(
  [...source.matchAll(/^func (print\w+)\(\w+ \*\w+\.(\w+), /gm)].map(([, printer = '', kind = '']) => [printer, kind]),
);
const rows: [string, Column[]][] = [];
for (const [, columns = '', printer = ''] of source.matchAll(/TableHandler\((\w+), (print\w+)\)/g)) {
  const kind = kinds.get(printer) ?? '';
  if (!kind.endsWith('List')) rows.push([kind, columnSets.get(columns) ?? []]);
}
process.stdout.write(
  `{\n${rows
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([kind, columns]) =>
        `${JSON.stringify(kind)}: [\n${columns.map((entry) => `  ${JSON.stringify(entry)}`).join(',\n')}\n]`,
    )
    .join(',\n')}\n}\n`,
);
