import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/** A document of the repository, by its path from the root. */
export interface Document {
  readonly path: string;
  readonly text: string;
}

/** A line that a document quotes out of a diff. */
export interface QuotedLine {
  readonly file: string;
  readonly line: string;
}

const skipped = new Set(['node_modules', '.git', 'dist', '.kubechain']);

/** All files below `root`, with paths from there; without what is installed and built. */
export function filesBelow(root: string, folder = ''): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (skipped.has(entry.name)) return [];
    return entry.isDirectory() ? filesBelow(root, path) : [path];
  });
}

/** Reads the documents that speak of sources as they are now; a changelog speaks of the past. */
export function readDocuments(root: string, files: readonly string[]): Document[] {
  return files
    .filter((path) => /^([A-Z]+|docs\/[^/]+|packages\/[^/]+\/README)\.md$/.test(path) && path !== 'CHANGELOG.md')
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

/** Links to files or headings that are not there, as `document → target`. */
export function deadLinks(root: string, { path, text }: Document): string[] {
  const targets = [...withoutBlocks(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  const dead = targets.filter((target) => {
    if (/^[a-z]+:/.test(target)) return false;
    const [file = '', anchor] = target.split('#');
    const found = file === '' ? join(root, path) : resolve(root, dirname(path), file);
    if (!existsSync(found)) return true;
    return anchor !== undefined && !anchorsOf(file === '' ? text : readFileSync(found, 'utf8')).has(anchor);
  });
  return dead.map((target) => `${path} → ${target}`);
}

/** The anchors that a document's headings have where it is shown. */
export function anchorsOf(text: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of withoutBlocks(text).matchAll(/^#+ +(.*)$/gm)) {
    const slug = heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .trim()
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-');
    let anchor = slug;
    for (let n = 1; anchors.has(anchor); n++) anchor = `${slug}-${n}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** Names of files of ours in `code` that no file has, as `document → name`. Patterns and placeholders are no names. */
export function missingFiles({ path, text }: Document, files: readonly string[]): string[] {
  const roots = new Set(files.map((file) => file.split('/')[0] ?? ''));
  const names = [...withoutBlocks(text).matchAll(/`([^`\s]+)`/g)].map(([, name = '']) => name.replace(/^\.\//, ''));
  const missing = names.filter((name) => {
    if (/[<>*…{}$:()'"=?]/.test(name) || name.startsWith('/')) return false;
    const isSource = /^[\w./-]+\.(ts|md)$/.test(name);
    const isPath = name.includes('/') && roots.has(name.split('/')[0] ?? '');
    if (!isSource && !isPath) return false;
    const bare = name.replace(/\/$/, '');
    return !files.some(
      (file) => file === bare || file.startsWith(`${bare}/`) || (isSource && file.endsWith(`/${bare}`)),
    );
  });
  return missing.map((name) => `${path} → ${name}`);
}

/** The lines of a document's `diff` blocks; `+++ PATH` says of which file the lines below it are. */
export function quotedLines({ text }: Document): QuotedLine[] {
  const lines: QuotedLine[] = [];
  for (const [, block = ''] of text.matchAll(/^```diff\n([\s\S]*?)^```$/gm)) {
    let file = '';
    for (const line of block.split('\n')) {
      if (line.startsWith('+++ ')) file = line.slice(4);
      else if (line !== '') lines.push({ file, line: line.slice(1) });
    }
  }
  return lines;
}

/** Quoted lines that the file does not have, as `file: line`. */
export function staleQuotes(root: string, document: Document): string[] {
  return quotedLines(document).flatMap(({ file, line }) => {
    const path = join(root, file);
    const has = file !== '' && existsSync(path) && readFileSync(path, 'utf8').split('\n').includes(line);
    return has ? [] : [`${relative(root, path)}: ${line}`];
  });
}

/**
 * Places to stop at that sources do not have, as `file: code`: rows of tables with a column `break at`, whose first
 * link is the file.
 */
export function missingBreakpoints(root: string, { path, text }: Document): string[] {
  return breakpointsOf(text).flatMap(({ code, file }) => {
    const source = resolve(root, dirname(path), file);
    const has = existsSync(source) && readFileSync(source, 'utf8').includes(code);
    return has ? [] : [`${relative(root, source)}: ${code}`];
  });
}

/** All places to stop at that a document names. */
export function breakpointsOf(text: string): readonly { readonly file: string; readonly code: string }[] {
  const found: { file: string; code: string }[] = [];
  let column = -1;
  for (const line of text.split('\n')) {
    const cells = line.startsWith('|') ? line.split('|').map((cell) => cell.trim()) : [];
    if (cells.length === 0) column = -1;
    else if (cells.includes('break at')) column = cells.indexOf('break at');
    const code = /^`(.+)`$/.exec(cells[column] ?? '')?.[1];
    const file = /\]\(([^)\s]+\.ts)\)/.exec(line)?.[1];
    if (code !== undefined && file !== undefined) found.push({ file, code });
  }
  return found;
}

function withoutBlocks(text: string): string {
  return text.replace(/^```[\s\S]*?^```$/gm, '');
}
