/**
 * Reads the rules that API types declare of their fields (`+k8s:` tags) off a Kubernetes source tree:
 *
 *   node scripts/extract-declared-rules.ts SOURCE-TREE GROUP/VERSION…
 *
 * A row for each group version: its structs by Go name, each with its fields in order, as
 * `[name, type, rules]`: a type is `Name`, `*Name` of a pointer, `[Name` of a list; empty for scalars and what declares
 * nothing, `*` for pointers to such. Rules keep the form of the tags without `+k8s:`; `featureGate=` is among them. Written to packages/kube-apiserver/src/registry/generated.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const [tree, ...groupVersions] = process.argv.slice(2);
if (tree === undefined || groupVersions.length === 0) {
  process.stderr.write('usage: node scripts/extract-declared-rules.ts SOURCE-TREE GROUP/VERSION…\n');
  process.exit(1);
}

type Field = readonly [name: string, type: string, rules: readonly string[]];

/** What says nothing of values. */
const silent =
  /^(?:deepcopy-gen|prerelease-lifecycle-gen|validation-gen|supportsSubresource|openapi-gen|listType=atomic)/;

function nameOf(type: string): string {
  return type.replace(/^[*[]/, '');
}

function rulesOf(comments: readonly string[]): string[] {
  return (
    comments
      .map((line) =>
        line
          .replace(/^\/\/ ?/, '')
          .replace(/\s+#.*$/, '')
          .trim(),
      )
      .map((line) => line.replace(/^\+featureGate=/, '+k8s:featureGate='))
      .filter((line) => line.startsWith('+k8s:'))
      // What alpha rules find is not told, but by rules in code that say the same; those of conditions are written here.
      .filter((line) => !/^\+k8s:alpha\(.*=\+k8s:list/.test(line))
      .map((line) => line.replace(/^\+k8s:(?:alpha|beta)\(since: "[\d.]+"\)=\+k8s:/, '+k8s:').slice('+k8s:'.length))
      .filter((line) => !silent.test(line))
  );
}

function structsOf(text: string): Record<string, Field[]> {
  const structs: Record<string, Field[]> = {};
  const enums = new Map<string, string[]>();
  for (const [, name = '', type = '', value = ''] of text.matchAll(/^\s+(\w+)\s+(\w+)\s+= "([^"]*)"/gm))
    if (name !== '') enums.set(type, [...(enums.get(type) ?? []), value]);
  const declared = new Set(
    [...text.matchAll(/\+k8s:enum\n(?:\/\/.*\n)*type (\w+) string/g)].map(([, type = '']) => type),
  );
  let comments: string[] = [];
  let fields: Field[] | undefined;
  for (const line of text.split('\n').map((raw) => raw.trim())) {
    const begin = /^type (\w+) struct \{(\})?$/.exec(line);
    if (begin !== null) {
      fields = structs[begin[1] ?? ''] = [];
      if (begin[2] !== undefined) fields = undefined;
      comments = [];
    } else if (line === '}') {
      fields = undefined;
    } else if (line.startsWith('//')) comments.push(line);
    else if (line !== '') {
      const field = /^\w+\s+(\S+)\s+`json:"([\w-]*)/.exec(line);
      if (fields !== undefined && field !== null && field[2] !== '' && field[2] !== '-') {
        const type = (field[1] ?? '').replace(/^\[\]\*?/, '[');
        const rules = rulesOf(comments);
        const plain = nameOf(type);
        const values = declared.has(plain) ? enums.get(plain) : undefined;
        if (values !== undefined) rules.push(`enum=${values.toSorted().join(',')}`);
        fields.push([field[2] ?? '', type, rules]);
      }
      comments = [];
    }
  }
  const isStruct = (type: string): boolean => structs[nameOf(type)] !== undefined;
  return Object.fromEntries(
    Object.entries(structs).map(([name, list]) => [
      name,
      list.map(([field, type, rules]): Field => [
        field,
        isStruct(type) ? type : type.startsWith('*') ? '*' : '',
        rules,
      ]),
    ]),
  );
}

/** Only what leads to rules is of interest. */
function withRules(structs: Readonly<Record<string, readonly Field[]>>): Record<string, readonly Field[]> {
  let left = structs;
  for (;;) {
    const next = Object.fromEntries(
      Object.entries(left).flatMap(([name, fields]) => {
        const kept = fields
          .map(([field, type, rules]): Field => {
            const isKnown = left[nameOf(type)] !== undefined;
            return [field, isKnown ? type : type.startsWith('*') ? '*' : '', rules];
          })
          .filter(([, type, rules]) => nameOf(type) !== '' || rules.some((rule) => rule !== 'optional'));
        return kept.length === 0 ? [] : [[name, kept]];
      }),
    );
    if (JSON.stringify(next) === JSON.stringify(left)) return next;
    left = next;
  }
}

const rows = groupVersions.map((groupVersion) => {
  const [group = '', version = ''] = groupVersion.split('/');
  const folder = group.split('.')[0] ?? '';
  const text = readFileSync(join(tree, 'staging/src/k8s.io/api', folder, version, 'types.go'), 'utf8');
  const structs = Object.entries(withRules(structsOf(text))).filter(([name]) => !name.endsWith('List'));
  const lines = structs.map(([name, fields]) => `  ${JSON.stringify(name)}: ${JSON.stringify(fields)}`);
  return `${JSON.stringify(groupVersion)}: {\n${lines.join(',\n')}\n}`;
});
process.stdout.write(`${rows.join(',\n')}\n`);
