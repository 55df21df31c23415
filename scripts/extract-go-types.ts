/**
 * Reads the Go API types of a Kubernetes source tree and writes the facts that its OpenAPI documents leave
 * out: field order, Go type names, embedding, pointers, omitempty, protobuf numbers, registered kinds.
 *
 *   node scripts/extract-go-types.ts PATH-TO-KUBERNETES-1.36 > scripts/facts/go-types.json
 *
 * Only needed when the reference version changes: `npm run generate` reads the checked-in result.
 * Type expressions use the notation of packages/apimachinery/src/schema/notation.ts.
 */
import { readFileSync, readdirSync, existsSync } from 'node:fs';
import { join } from 'node:path';

interface GoField {
  n?: string;
  t: string;
  num?: number;
  o?: 1;
  oz?: 1;
  req?: 1;
  def?: string;
  list?: string;
  keys?: string[];
  map?: string;
  ps?: string;
  pk?: string;
  emb?: string;
}
interface GoStruct {
  go: string;
  fields: GoField[];
  map?: string;
}
interface GoPackage {
  path: string;
  name: string;
  imports: Map<string, string>;
  decls: Map<
    string,
    { file: string; text: string; struct?: string[]; markers: string[]; imports: Map<string, string> }
  >;
}

const tree = process.argv[2];
if (tree === undefined) {
  process.stderr.write('usage: node scripts/extract-go-types.ts KUBERNETES-SOURCE-TREE\n');
  process.exit(1);
}
const staging = join(tree, 'staging/src');

/** Leaf types with their own JSON form, in schema notation. */
const leaves = new Map<string, string>([
  ['k8s.io/apimachinery/pkg/api/resource.Quantity', 'q'],
  ['k8s.io/apimachinery/pkg/apis/meta/v1.Time', 't'],
  ['k8s.io/apimachinery/pkg/apis/meta/v1.MicroTime', 'u'],
  ['k8s.io/apimachinery/pkg/apis/meta/v1.Duration', 'r'],
  ['k8s.io/apimachinery/pkg/util/intstr.IntOrString', 'o'],
  ['k8s.io/apimachinery/pkg/runtime.RawExtension', 'x'],
  ['k8s.io/apimachinery/pkg/runtime.Unknown', 'x'],
  ['k8s.io/apimachinery/pkg/runtime.Object', 'x'],
  ['k8s.io/apimachinery/pkg/apis/meta/v1.FieldsV1', 'f'],
  ['k8s.io/apimachinery/pkg/types.UID', 's<types.UID>'],
  ['k8s.io/apimachinery/pkg/types.NodeName', 's<types.NodeName>'],
  ['k8s.io/apimachinery/pkg/types.PatchType', 's<types.PatchType>'],
  ['k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSON', 'j'],
  ['k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1beta1.JSON', 'j'],
]);

const roots = [
  ...readdirSync(join(staging, 'k8s.io/api')).flatMap((group) => {
    const folder = join(staging, 'k8s.io/api', group);
    return group === 'testdata' || !existsSync(folder) || /\.(go|md|mod|sum)$|^[A-Z]/.test(group)
      ? []
      : readdirSync(folder)
          .filter((v) => /^v\d/.test(v))
          .map((v) => `k8s.io/api/${group}/${v}`);
  }),
  'k8s.io/apimachinery/pkg/apis/meta/v1',
  'k8s.io/apimachinery/pkg/version',
  'k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1',
  'k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1beta1',
  'k8s.io/kube-aggregator/pkg/apis/apiregistration/v1',
  'k8s.io/apiserver/pkg/apis/audit/v1',
];

function definitionName(path: string, type: string): string {
  const [host = '', ...rest] = path.split('/');
  return [...host.split('.').reverse(), ...rest, type].join('.');
}

function parsePackage(path: string): GoPackage {
  const pkg: GoPackage = { path, name: '', imports: new Map(), decls: new Map() };
  const folder = join(staging, path);
  for (const file of readdirSync(folder)) {
    if (!file.endsWith('.go') || file.endsWith('_test.go') || /^zz_|generated/.test(file)) continue;
    const lines = readFileSync(join(folder, file), 'utf8').split('\n');
    const imports = new Map<string, string>();
    let markers: string[] = [];
    for (let i = 0; i < lines.length; i++) {
      const line = lines[i] ?? '';
      const packageName = /^package (\w+)/.exec(line);
      if (packageName?.[1] !== undefined) {
        pkg.name = packageName[1];
        continue;
      }
      const imported = /^(?:import )?\s*(?:(\w+) )?"([\w./-]+)"$/.exec(line);
      if (imported?.[2] !== undefined) imports.set(imported[1] ?? imported[2].split('/').at(-1) ?? '', imported[2]);
      if (line.startsWith('//')) {
        const m = /^\/\/ \+(\S+)/.exec(line);
        if (m?.[1] !== undefined) markers.push(m[1]);
        continue;
      }
      const declared = /^type (\w+) (=\s*)?(.+)$/.exec(line);
      if (declared?.[1] !== undefined && declared[3] !== undefined) {
        const name = declared[1];
        const body: string[] = [];
        if (/^struct ?\{.*\}/.test(declared[3]))
          pkg.decls.set(name, { file, text: 'struct', struct: [], markers, imports });
        else if (declared[3].startsWith('struct {')) {
          for (i++; lines[i] !== '}'; i++) body.push(lines[i] ?? '');
          pkg.decls.set(name, { file, text: 'struct', struct: body, markers, imports });
        } else pkg.decls.set(name, { file, text: declared[3].replace(/\s*\/\/.*$/, ''), markers, imports });
      }
      if (line.trim() !== '') markers = [];
    }
  }
  return pkg;
}

const packages = new Map<string, GoPackage>(roots.map((path) => [path, parsePackage(path)]));
const scalars: Record<string, string> = {
  string: 's',
  bool: 'b',
  int32: 'i',
  int64: 'l',
  int: 'l',
  float64: 'd',
  uint32: 'i',
};

/** The notation of a Go type expression as written in `pkg`. */
function notation(pkg: GoPackage, imports: Map<string, string>, expression: string): string {
  if (expression.startsWith('*')) return `*${notation(pkg, imports, expression.slice(1))}`;
  if (expression === '[]byte') return 'y';
  if (expression.startsWith('[]')) return `[]${notation(pkg, imports, expression.slice(2))}`;
  const map = /^map\[([\w.]+)\](.+)$/.exec(expression);
  if (map?.[1] !== undefined && map[2] !== undefined) {
    const key =
      map[1] === 'string'
        ? ''
        : map[1].includes('.')
          ? map[1].replace(/^\w+(?=\.)/, (alias) => packages.get(imports.get(alias) ?? '')?.name ?? alias)
          : `${pkg.name}.${map[1]}`;
    return `{${key}}${notation(pkg, imports, map[2])}`;
  }
  if (expression === 'interface{}' || expression === 'any') return 'j';
  const scalar = scalars[expression];
  if (scalar !== undefined) return scalar;
  const dot = expression.indexOf('.');
  const path = dot < 0 ? pkg.path : imports.get(expression.slice(0, dot));
  const name = expression.slice(dot + 1);
  if (path === undefined) throw new Error(`unresolved ${expression} in ${pkg.path}`);
  const leaf = leaves.get(`${path}.${name}`);
  if (leaf !== undefined) return leaf;
  const target = packages.get(path);
  const declaration = target?.decls.get(name);
  if (target === undefined || declaration === undefined)
    throw new Error(`unknown type ${path}.${name} used in ${pkg.path}`);
  if (declaration.struct !== undefined) return `@${definitionName(path, name)}`;
  const inner = notation(target, declaration.imports, declaration.text);
  // A named type over a struct is a struct of its own name; over anything else it keeps its Go name as an annotation.
  if (inner.startsWith('@')) return `@${definitionName(path, name)}`;
  const bare = inner.replace(/<[^>]*>/, '');
  const annotated = /^(\[[^\]]*\]|\{[^}]*\}|[a-z])(.*)$/.exec(bare);
  return `${annotated?.[1] ?? bare}<${target.name}.${name}>${annotated?.[2] ?? ''}`;
}

function readFields(pkg: GoPackage, imports: Map<string, string>, body: readonly string[]): GoField[] {
  const fields: GoField[] = [];
  let markers = new Map<string, string[]>();
  let comment = false;
  for (const raw of body) {
    const line = raw.trim();
    if (comment) {
      comment = !line.includes('*/');
      continue;
    }
    if (line.startsWith('/*')) {
      comment = !line.includes('*/');
      continue;
    }
    if (line === '') {
      markers = new Map();
      continue;
    }
    if (line.startsWith('//')) {
      const marker = /^\/\/\s*\+([\w:]+)(?:=(.*))?$/.exec(line);
      if (marker?.[1] !== undefined) {
        const list = markers.get(marker[1]) ?? [];
        list.push(marker[2] ?? '');
        markers.set(marker[1], list);
      }
      continue;
    }
    const match = /^(?:(\w+)\s+)?([*[\]\w.{}]+)\s+`([^`]*)`/.exec(line);
    if (match?.[2] === undefined || match[3] === undefined) {
      markers = new Map();
      continue;
    }
    const tags = match[3];
    const json = /json:"([^"]*)"/.exec(tags)?.[1];
    const protobuf = /protobuf:"([^"]*)"/.exec(tags)?.[1];
    const number = protobuf === undefined || protobuf === '-' ? undefined : Number(protobuf.split(',')[1]);
    const [name = '', ...options] = (json ?? '').split(',');
    if ((json === undefined && number === undefined) || name === '-') {
      markers = new Map();
      continue;
    }
    const field: GoField = { t: notation(pkg, imports, match[2]) };
    if (number !== undefined && Number.isFinite(number)) field.num = number;
    if (match[1] === undefined && (options.includes('inline') || name === ''))
      field.emb = match[2].replace(/^\*/, '').replace(/^\w+\./, '');
    else field.n = name === '' ? (match[1] ?? match[2].replace(/^.*\./, '')) : name;
    if (options.includes('omitempty')) field.o = 1;
    if (options.includes('omitzero')) field.oz = 1;
    if (field.emb === undefined && !field.o && !field.oz && !markers.has('optional')) field.req = 1;
    if (markers.has('required') || markers.has('k8s:required')) field.req = 1;
    const fallback = markers.get('default')?.[0];
    if (fallback !== undefined && !fallback.startsWith('ref(')) field.def = fallback;
    const list = markers.get('listType')?.[0];
    if (list !== undefined) field.list = list;
    const keys = markers.get('listMapKey');
    if (keys !== undefined) field.keys = keys;
    const map = markers.get('mapType')?.[0] ?? markers.get('structType')?.[0];
    if (map !== undefined) field.map = map;
    const strategy = /patchStrategy:"([^"]*)"/.exec(tags)?.[1];
    if (strategy !== undefined) field.ps = strategy;
    const mergeKey = /patchMergeKey:"([^"]*)"/.exec(tags)?.[1];
    if (mergeKey !== undefined) field.pk = mergeKey;
    fields.push(field);
    markers = new Map();
  }
  return fields;
}

/** Structs whose JSON form is written by hand in Go; the schema builder knows them by name. */
const handWritten = new Set([
  'Time',
  'MicroTime',
  'Duration',
  'FieldsV1',
  'JSON',
  'InternalEvent',
  'GroupResource',
  'GroupVersionKind',
  'GroupVersionResource',
  'GroupKind',
  'GroupVersion',
]);

const types: Record<string, GoStruct> = {};
for (const pkg of packages.values()) {
  for (const [name, declaration] of pkg.decls) {
    let owner = pkg,
      decl = declaration;
    if (decl.struct === undefined) {
      const alias = /^(\w+)\.(\w+)$/.exec(decl.text);
      const target = alias?.[1] === undefined ? undefined : packages.get(decl.imports.get(alias[1]) ?? '');
      const struct = target?.decls.get(alias?.[2] ?? '');
      if (target === undefined || struct?.struct === undefined) continue;
      owner = target;
      decl = struct;
    }
    if (
      decl.struct === undefined ||
      (pkg.path.endsWith('meta/v1') && handWritten.has(name) && !name.startsWith('Group'))
    )
      continue;
    const fields = readFields(owner, decl.imports, decl.struct);
    const struct: GoStruct = { go: `${pkg.name}.${name}`, fields };
    if (decl.markers.some((m) => m === 'structType=atomic' || m === 'mapType=atomic')) struct.map = 'atomic';
    types[definitionName(pkg.path, name)] = struct;
  }
}

const kinds: [group: string, version: string, kind: string, definition: string][] = [];
const groupNames: Record<string, string> = {};
for (const pkg of packages.values()) {
  const register = join(staging, pkg.path, 'register.go');
  if (!existsSync(register)) continue;
  const text = readFileSync(register, 'utf8');
  const group = /const GroupName = "([^"]*)"/.exec(text)?.[1];
  if (group === undefined) continue;
  const version = pkg.path.split('/').at(-1) ?? '';
  groupNames[group] = pkg.path.split('/').at(-2) ?? '';
  for (const block of text.matchAll(/AddKnownTypes\(\s*SchemeGroupVersion,([\s\S]*?)\n?\s*\)/g)) {
    for (const type of (block[1] ?? '').matchAll(/&(?:(\w+)\.)?(\w+)\{\}/g)) {
      const path = type[1] === undefined ? pkg.path : 'k8s.io/apimachinery/pkg/apis/meta/v1';
      kinds.push([group, version, type[2] ?? '', definitionName(path, type[2] ?? '')]);
    }
  }
}

const sorted = Object.keys(types).toSorted();
const out = [
  '{',
  '"source":"Kubernetes v1.36.2: types.go and register.go of k8s.io/api, ' +
    'k8s.io/apimachinery/pkg/apis/meta/v1, k8s.io/apiextensions-apiserver, k8s.io/kube-aggregator, ' +
    'k8s.io/apiserver/pkg/apis/audit",',
  '"kinds":[',
  kinds.map((kind) => JSON.stringify(kind)).join(',\n'),
  '],',
  `"packages":${JSON.stringify(groupNames)},`,
  '"types":{',
  sorted.map((name) => `${JSON.stringify(name)}:${JSON.stringify(types[name])}`).join(',\n'),
  '}}',
];
process.stdout.write(`${out.join('\n')}\n`);
