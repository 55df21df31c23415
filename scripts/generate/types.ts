import type { KindRow } from './kinds.ts';

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1.';
const SCALARS: Readonly<Record<string, string>> = {
  s: 'string',
  b: 'boolean',
  i: 'number',
  l: 'number',
  d: 'number',
  y: 'string',
  t: 'string',
  u: 'string',
  r: 'string',
  q: 'string',
  o: 'number | string',
  j: 'unknown',
  x: 'unknown',
  f: 'Record<string, unknown>',
};
/** Types whose hand-written form in object/object.ts is used, so that generated objects are KubeObjects. */
const HAND_WRITTEN = new Map([
  [`${META}ObjectMeta`, 'ObjectMeta'],
  [`${META}OwnerReference`, 'OwnerReference'],
  [`${META}ManagedFieldsEntry`, 'ManagedFieldsEntry'],
]);

/** TypeScript files `GROUP/VERSION.ts` with a type for every served definition, from the schema table's notation. */
export function typeFiles(
  schemas: ReadonlyMap<string, string>,
  kinds: readonly KindRow[],
  isServed: (definition: string) => boolean,
): Map<string, string> {
  const modules = new Map<string, { path: string; row: KindRow | undefined; definitions: string[] }>();
  for (const definition of schemas.keys()) {
    if (!isServed(definition)) continue;
    const home = definition.slice(0, definition.lastIndexOf('.'));
    let module = modules.get(home);
    if (module === undefined) {
      const parts = home.split('.');
      const row = kinds.find((candidate) => candidate.package === home);
      modules.set(
        home,
        (module = {
          path: parts.at(-1) === 'version' ? 'version/v1' : parts.slice(-2).join('/'),
          row,
          definitions: [],
        }),
      );
    }
    module.definitions.push(definition);
  }
  const files = new Map<string, string>();
  for (const [home, module] of modules) files.set(`${module.path}.ts`, moduleText(home, module, schemas, modules));
  return files;
}

function moduleText(
  home: string,
  module: { path: string; row: KindRow | undefined; definitions: readonly string[] },
  schemas: ReadonlyMap<string, string>,
  modules: ReadonlyMap<string, { path: string }>,
): string {
  const imports = new Map<string, Set<string>>();
  const use = (from: string, name: string): void => {
    const names = imports.get(from) ?? new Set();
    names.add(name);
    imports.set(from, names);
  };
  const reference = (target: string): string => {
    const name = target.slice(target.lastIndexOf('.') + 1);
    const written = HAND_WRITTEN.get(target);
    if (written !== undefined) {
      use('../../../object/object.ts', written);
      return written;
    }
    const from = target.slice(0, target.lastIndexOf('.'));
    if (from === home) return name;
    const path = modules.get(from)?.path;
    if (path === undefined) return 'unknown';
    const alias = `${path.replace(/\W+(\w)/g, (_, letter: string) => letter.toUpperCase())}`;
    use(`../${path}.ts`, `* as ${alias}`);
    return `${alias}.${name}`;
  };
  const body = module.definitions.map((definition) => {
    const name = definition.slice(home.length + 1);
    const written = HAND_WRITTEN.get(definition);
    if (written !== undefined) {
      use('../../../object/object.ts', written);
      return `export type { ${written} };`;
    }
    const [head = '', ...parts] = (schemas.get(definition) ?? '').split(';');
    if (/ \S*v/.test(head))
      return `export type ${name} = ${parts
        .map((part) => part.split(' '))
        .filter((words) => words[0] !== 'Allows')
        .map((words) => typeText(words[1] ?? '', reference))
        .join(' | ')}${name.endsWith('OrBool') ? ' | boolean' : ''};`;
    const row = module.row;
    const isKind = row?.kinds.includes(name) === true;
    const members = parts
      .filter((part) => !part.startsWith('! '))
      .map((part) => {
        const [field = '', type = '', ...attributes] = part.split(' ');
        const required = attributes.some(
          (attribute) => attribute[1] !== '=' && !/^\d/.test(attribute) && attribute.includes('r'),
        );
        const literal =
          isKind && field === 'kind'
            ? `'${name}'`
            : isKind && field === 'apiVersion'
              ? `'${row.group === '' ? '' : `${row.group}/`}${row.version}'`
              : undefined;
        return (
          `  ${/^[A-Za-z_]\w*$/.test(field) ? field : `'${field}'`}${required ? '' : '?'}: ` +
          `${literal ?? typeText(type, reference)};`
        );
      });
    return members.length === 0
      ? `export type ${name} = Record<string, never>;`
      : `export type ${name} = {\n${members.join('\n')}\n};`;
  });
  const lines = [...imports]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([from, names]) => {
      const stars = [...names].filter((name) => name.startsWith('*')),
        plain = [...names].filter((name) => !name.startsWith('*')).toSorted((a, b) => (a < b ? -1 : 1));
      return [
        ...stars.map((star) => `import type ${star} from '${from}';`),
        ...(plain.length > 0 ? [`import type { ${plain.join(', ')} } from '${from}';`] : []),
      ];
    });
  return (
    `// Generated by scripts/generate.ts: wire types of ${module.path}. Do not ` +
    `edit.\n${lines.join('\n')}${lines.length > 0 ? '\n' : ''}\n${body.join('\n\n')}\n`
  );
}

function typeText(type: string, reference: (definition: string) => string): string {
  const text = type.replace(/^\*/, '').replace(/<[^>]*>/, '');
  if (text[0] === '[') {
    const inner = typeText(text.slice(text.indexOf(']') + 1), reference);
    return inner.includes(' ') ? `(${inner})[]` : `${inner}[]`;
  }
  if (text[0] === '{') return `Record<string, ${typeText(text.slice(text.indexOf('}') + 1), reference)}>`;
  if (text[0] === '@')
    return reference(
      text
        .replace(/^@[!+]?/, '')
        .replace(/^~/, 'io.k8s.api.')
        .replace(/^\^/, 'io.k8s.apimachinery.pkg.apis.meta.'),
    );
  const values = /\((.*)\)$/.exec(text)?.[1];
  return values === undefined
    ? (SCALARS[text[0] ?? ''] ?? 'unknown')
    : values
        .split('|')
        .map((value) => `'${value}'`)
        .join(' | ');
}
