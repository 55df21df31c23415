import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** Specifiers of imports and exports, and of `import('…')` types. */
const specifier = /(\bfrom\s+|\bimport\s*\(\s*|\bimport\s+)(['"])([^'"]+)\2/g;

/** Replaces what declarations import. */
export function mapSpecifiers(text: string, map: (specifier: string) => string): string {
  return text.replaceAll(
    specifier,
    (_, before: string, quote: string, name: string) => `${before}${quote}${map(name)}${quote}`,
  );
}

/** Declarations name modules as sources do; published ones as JavaScript. */
export function asJavaScript(name: string): string {
  return name.startsWith('.') ? name.replace(/\.ts$/, '.js') : name;
}

export interface CollectOptions {
  /** Absolute paths of the declarations to begin with. */
  readonly entries: readonly string[];
  /** Where all declarations lie: `FOLDER/…/x.d.ts` becomes `to/…/x.d.ts`. */
  readonly from: string;
  readonly to: string;
  /** The declaration of a workspace package's entry point; undefined: another package. */
  readonly resolve: (name: string) => string | undefined;
}

/**
 * Copies declarations and all that they import, of whichever package, so that what is left to import are other
 * packages. Resolves to the names of those.
 */
export function collectDeclarations({ entries, from, resolve, to }: CollectOptions): ReadonlySet<string> {
  const outside = new Set<string>();
  const seen = new Set<string>();
  const left = [...entries];
  for (let file = left.pop(); file !== undefined; file = left.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    const folder = dirname(file);
    const text = mapSpecifiers(readFileSync(file, 'utf8'), (name) => {
      const found = name.startsWith('.') ? join(folder, name.replace(/\.[tj]s$/, '.d.ts')) : resolve(name);
      if (found === undefined) {
        outside.add(name);
        return name;
      }
      if (!existsSync(found)) throw new TypeError(`${file}: no declaration of ${name}`);
      left.push(found);
      const path = relative(folder, found).replace(/\.d\.ts$/, '.js');
      return path.startsWith('.') ? path : `./${path}`;
    }).replace(/\n?\/\/# sourceMappingURL=.*$/m, '');
    const target = join(to, relative(from, file));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
  return outside;
}
