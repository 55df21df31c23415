import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/** A name that an entry of a package exports. */
export interface ExportedName {
  /** As importers write it: `@kubechain/apiserver/options`. */
  readonly entry: string;
  readonly name: string;
  /** Some file outside of the package imports it. */
  readonly imported: boolean;
}

const imports = /(?:import|export)\s+(?:type\s+)?\{([^}]*)\}\s*from\s*'([^']+)'/g;
const dynamicImports = /\{([^{}]*)\}\s*=\s*await import\('([^']+)'\)/g;
const dynamicMembers = /import\('([^']+)'\)\)?\s*\.(\w+)/g;
const namedExports = /export\s+(?:type\s+)?\{([^}]*)\}/g;
const handedOn = /export\s+(?:type\s+)?\{([^}]*)\}\s*from\s*'([^']+)'/g;
const declarations = /^export (?:async )?(?:abstract )?(?:function|const|class|interface|type) (\w+)/gm;

/** What the entries of all packages below `root` export, and whether anybody else imports it. */
export function exportedNames(root: string): ExportedName[] {
  const importers = importersOf(root);
  return readdirSync(join(root, 'packages')).flatMap((folder) => {
    const at = join(root, 'packages', folder);
    const { exports, name } = JSON.parse(readFileSync(join(at, 'package.json'), 'utf8')) as {
      readonly name: string;
      readonly exports: Readonly<Record<string, string>>;
    };
    return Object.entries(exports).flatMap(([path, file]) => {
      if (path.includes('*')) return [];
      const entry = name + path.slice(1);
      return namesIn(readFileSync(join(at, file), 'utf8')).map((exported) => ({
        entry,
        name: exported,
        imported: [...(importers.get(`${entry} ${exported}`) ?? [])].some((from) => from !== `packages/${folder}`),
      }));
    });
  });
}

/** What entries export and no doc comment stands before, as `file: name`; tables that are generated left out. */
export function undocumentedNames(root: string): string[] {
  const entries = readdirSync(join(root, 'packages')).flatMap((folder) => {
    const at = join(root, 'packages', folder);
    const { exports } = JSON.parse(readFileSync(join(at, 'package.json'), 'utf8')) as {
      readonly exports: Readonly<Record<string, string>>;
    };
    return Object.values(exports)
      .filter((file) => file.endsWith('.ts') && !file.includes('*'))
      .map((file) => join(at, file));
  });
  const found = entries.flatMap((entry) =>
    namesIn(readFileSync(entry, 'utf8')).flatMap((name) => declarationOf(entry, name) ?? []),
  );
  const bare = found.filter(({ file, name }) => !file.includes('/generated/') && !isDocumented(file, name));
  return [...new Set(bare.map(({ file, name }) => `${relative(root, file)}: ${name}`))].sort();
}

/** Where a name that a file exports is declared in its package; undefined when another package's entry has it. */
function declarationOf(file: string, name: string): { readonly file: string; readonly name: string } | undefined {
  for (const [, list = '', from = ''] of readFileSync(file, 'utf8').matchAll(handedOn))
    for (const item of listed(list)) {
      const [local = '', exported = local] = item.split(' as ');
      if (exported !== name) continue;
      return from.startsWith('.') ? declarationOf(resolve(dirname(file), from), local) : undefined;
    }
  return { file, name };
}

function isDocumented(file: string, name: string): boolean {
  const source = readFileSync(file, 'utf8');
  return new RegExp(
    `\\*/\\s*export (?:async )?(?:abstract )?(?:function\\*?|const|class|interface|type) ${name}\\b`,
  ).test(source);
}

/** The names that the text of a module exports. */
export function namesIn(text: string): string[] {
  return [
    ...[...text.matchAll(namedExports)].flatMap(([, list = '']) =>
      listed(list).map((item) => item.split(' as ').pop()),
    ),
    ...[...text.matchAll(declarations)].map(([, name]) => name),
  ].filter((name) => name !== undefined);
}

/** By `entry name`: the packages and top folders in whose sources it is imported. */
function importersOf(root: string): Map<string, Set<string>> {
  const importers = new Map<string, Set<string>>();
  const files = execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.mts', '*.mjs'], { cwd: root, encoding: 'utf8' });
  for (const file of files.trim().split('\n')) {
    const text = readFileSync(join(root, file), 'utf8');
    const from = /^packages\/[^/]+/.exec(file)?.[0] ?? file;
    const note = (entry: string, name: string): void => {
      const key = `${entry} ${name}`;
      const known = importers.get(key);
      if (known === undefined) importers.set(key, new Set([from]));
      else known.add(from);
    };
    for (const [, list = '', entry = ''] of text.matchAll(imports))
      for (const item of listed(list)) note(entry, item.split(' as ')[0] ?? '');
    for (const [, list = '', entry = ''] of text.matchAll(dynamicImports))
      for (const item of listed(list)) note(entry, item.split(':')[0]?.trim() ?? '');
    for (const [, entry = '', name = ''] of text.matchAll(dynamicMembers)) note(entry, name);
  }
  return importers;
}

function listed(list: string): string[] {
  return list
    .split(',')
    .map((item) => item.trim().replace(/^type /, ''))
    .filter((item) => item !== '');
}
