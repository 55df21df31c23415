import { existsSync, globSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';

/** What the manifest of a package says that was built. */
interface Published {
  readonly name: string;
  /** Built files of entry points; `*` stands for any path. */
  readonly entries: readonly string[];
  /** Names of packages that it says it needs, or may. */
  readonly declared: readonly string[];
}

/** Any text that looks like the path of a file beside: imports, and files that are started or read. */
const besides = /['"](\.{1,2}\/[^'"]+)['"]/g;
const imported =
  /(?:\bfrom|\bimport\(|\bimport|\bresolve\(|\brequire\()\s*['"]((?:@[a-z\d-]+\/)?[a-z\d][\w.-]*)(?:\/[\w./-]*)?['"]/g;

/**
 * Removes modules in folders for tests that no entry point of the package in `folder` leads to.
 * @throws TypeError when what is left imports a package that the manifest does not name
 */
export function keepPublishedFiles(folder: string, { declared, entries, name }: Published): void {
  const reached = reachedFrom(
    entries.flatMap((path) => globSync(path.replace('*', '**/*'), { cwd: folder })),
    folder,
  );
  const files = globSync('dist/**/*.{js,d.ts}', { cwd: folder });
  const known = new Set([name, ...declared]);
  for (const file of files) {
    if (!reached.has(file) && file.split(sep).some((part) => /^(testing|testdata|conformance)$/.test(part))) {
      rmSync(join(folder, file));
      rmSync(join(folder, `${file}.map`), { force: true });
      continue;
    }
    for (const [, needed = ''] of readFileSync(join(folder, file), 'utf8').matchAll(imported))
      if (!known.has(needed))
        throw new TypeError(`${name}: ${file} imports ${needed}, which its manifest does not name`);
  }
}

/** Files below `folder`, with declarations beside modules and the other way round. */
function reachedFrom(entries: readonly string[], folder: string): ReadonlySet<string> {
  const reached = new Set<string>();
  const left = [...entries];
  for (let file = left.pop(); file !== undefined; file = left.pop()) {
    if (reached.has(file) || !existsSync(join(folder, file))) continue;
    reached.add(file);
    left.push(file.replace(/\.js$/, '.d.ts'), file.replace(/\.d\.ts$/, '.js'));
    for (const [, path = ''] of readFileSync(join(folder, file), 'utf8').matchAll(besides))
      left.push(join(dirname(file), path));
  }
  return reached;
}
