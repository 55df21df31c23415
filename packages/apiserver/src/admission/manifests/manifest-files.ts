import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { extname, join } from 'node:path';

/** A document of a file. */
export interface ManifestDocument {
  readonly file: string;
  readonly text: string;
}

/** What is in a directory of manifests. */
export interface ManifestFiles {
  readonly documents: readonly ManifestDocument[];
  /** Of the contents of all files, `sha256:…`; '' where they hold nothing. */
  readonly hash: string;
}

/** What cannot be used of static manifests; the message names the file. */
export class ManifestError extends Error {
  override readonly name = 'ManifestError';
}

const endings: ReadonlySet<string> = new Set(['.yaml', '.yml', '.json']);

/** Paths of the manifests in a directory, by name. @throws Error of the file system */
export function manifestPaths(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true })
    .filter((entry) => !entry.isDirectory() && endings.has(extname(entry.name).toLowerCase()))
    .map(({ name }) => name)
    .sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    .map((name) => join(directory, name));
}

/**
 * Reads all documents of all manifests in a directory (apiserver/pkg/admission/plugin/manifest/loader.go, 1.36).
 * @throws ManifestError, Error of the file system
 */
export function readManifests(directory: string): ManifestFiles {
  const hash = createHash('sha256');
  const documents: ManifestDocument[] = [];
  let empty = true;
  for (const file of manifestPaths(directory)) {
    const bytes = readFileSync(file);
    if (bytes.length === 0) continue;
    empty = false;
    hash.update(bytes).update('\0');
    for (const text of documentsOf(bytes.toString(), file)) documents.push({ file, text });
  }
  return { documents, hash: empty ? '' : `sha256:${hash.digest('hex')}` };
}

/** A line that begins with `---` ends a document; behind that there is nothing, or a comment. */
function documentsOf(text: string, file: string): string[] {
  const documents: string[][] = [[]];
  for (const line of text.split('\n')) {
    if (!line.startsWith('---')) documents.at(-1)?.push(line);
    else if (/^[\s]*(?:#|$)/.test(line.slice(3))) documents.push([]);
    else
      throw new ManifestError(
        `failed to split YAML documents in file ${JSON.stringify(file)}: invalid Yaml document separator: ` +
          line.slice(3).trim(),
      );
  }
  return documents.map((lines) => lines.join('\n').trim()).filter((document) => document !== '');
}
