import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { parseAllDocuments, type LineCounter } from 'yaml';
import { LaunchError } from '../launch-error.ts';

/** An object as a file has it. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

/**
 * The objects of YAML or JSON text, of a file, or of the files of a folder and those below it (`.yaml`, `.yml`,
 * `.json`, by name; kustomizations and patches, which are no objects, are left out), lists taken apart.
 * @throws LaunchError `Usage` naming the file
 */
export function readManifests(source: string): Manifest[] {
  if (source.includes('\n') || !existsSync(source)) {
    if (!/[\n:{]/.test(source)) throw new LaunchError('Usage', `'${source}': no such file or folder`);
    return parse(source, 'the text');
  }
  if (!statSync(source).isDirectory()) return parse(readFileSync(source, 'utf8'), source);
  return manifestFiles(source).flatMap((file) =>
    parse(readFileSync(file, 'utf8'), file).filter(({ kind }) => kind !== 'Kustomization'),
  );
}

/** The files of a folder and those below it that may hold objects, by name. */
export function manifestFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && ['.yaml', '.yml', '.json'].includes(extname(entry.name)))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** The documents of YAML or JSON text, as kubectl reads them. */
export function manifestDocuments(text: string, lines?: LineCounter): ReturnType<typeof parseAllDocuments> {
  return parseAllDocuments(text, {
    version: '1.1',
    merge: true,
    ...(lines === undefined ? {} : { lineCounter: lines }),
  });
}

function parse(text: string, origin: string): Manifest[] {
  return [...manifestDocuments(text)].flatMap((document) => {
    const [error] = document.errors;
    if (error !== undefined) throw new LaunchError('Usage', `${origin}: ${error.message.split('\n', 1)[0]}`);
    const value: unknown = document.toJS();
    if (value === null) return [];
    if (isList(value)) return value.items;
    if (!isManifest(value))
      throw new LaunchError('Usage', `${origin}: not an object with apiVersion, kind and metadata.name`);
    return [value];
  });
}

function isManifest(value: unknown): value is Manifest {
  const { apiVersion, kind, metadata } = (value ?? {}) as Partial<Manifest>;
  return (
    kind === 'Kustomization' ||
    (typeof apiVersion === 'string' && typeof kind === 'string' && typeof metadata?.name === 'string')
  );
}

function isList(value: unknown): value is { readonly items: Manifest[] } {
  const { items, kind } = value as { readonly kind?: unknown; readonly items?: unknown };
  return typeof kind === 'string' && kind.endsWith('List') && Array.isArray(items);
}
