import { append } from '@kubechain/apimachinery';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { LaunchError } from '../launch-error.ts';
import { manifestFiles } from '../testing/read-manifests.ts';
import { isChart, renderChart } from './chart.ts';
import { isKustomization, renderKustomization } from './kustomization.ts';
import { knownRelease, parseRelease } from './release-lifecycle.ts';
import { readText } from './read-text.ts';
import type { SourceError, SourceObject, Sources } from './source-object.ts';

/** How files are read. */
export interface ReadOptions {
  /** What `-` stands for. */
  readonly stdin: AsyncIterable<Buffer>;
  /** What charts are rendered for. */
  readonly namespace: string;
  /** Release of Kubernetes that charts are rendered for, `1.38`. Default: the servers' own. */
  readonly release?: string;
}

/**
 * Reads `-`, files, folders, kustomizations and charts.
 * @throws LaunchError for a path that is not there, and for what cannot be rendered
 */
export async function readSources(
  paths: readonly string[],
  { namespace, release, stdin }: ReadOptions,
): Promise<Sources> {
  const minor = release === undefined ? knownRelease : parseRelease(release, 'kubernetes-version');
  const objects: SourceObject[] = [];
  const errors: SourceError[] = [];
  for (const path of paths)
    for (const read of await sourcesOf(path)) {
      append(objects, read.objects);
      append(errors, read.errors);
    }
  return { objects, errors };

  async function sourcesOf(path: string): Promise<readonly Sources[]> {
    if (path === '-') {
      const chunks: Buffer[] = [];
      for await (const chunk of stdin) chunks.push(chunk);
      return [readText('-', Buffer.concat(chunks).toString('utf8'))];
    }
    if (!existsSync(path)) throw new LaunchError('Usage', `'${path}': no such file or folder`);
    if (!statSync(path).isDirectory()) return [readFile(path)];
    if (isKustomization(path)) return [await renderKustomization(path)];
    if (isChart(path)) return [await renderChart(path, { namespace, release: `1.${minor}` })];
    return manifestFiles(path).map(readFile);
  }
}

function readFile(file: string): Sources {
  return readText(file, readFileSync(file, 'utf8'));
}
