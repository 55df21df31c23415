import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { runRenderer } from './run-renderer.ts';
import { readText } from './read-text.ts';
import type { Sources } from './source-object.ts';

/** Whether a folder is a chart of helm's. */
export function isChart(folder: string): boolean {
  return existsSync(join(folder, 'Chart.yaml'));
}

/**
 * The objects of a chart with its default values, and its definitions. Lines are those of what helm prints; `template`
 * tells the file.
 * @throws LaunchError when helm is not there, or refuses the chart
 */
export async function renderChart(folder: string, namespace: string): Promise<Sources> {
  const release = basename(resolve(folder)).replaceAll('_', '-').toLowerCase();
  const args = ['template', release, folder, '--namespace', namespace, '--include-crds'];
  return readText(folder, await runRenderer(`${folder}, a chart,`, [['helm', ...args]]));
}
