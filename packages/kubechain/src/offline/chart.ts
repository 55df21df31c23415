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
 * @param release of Kubernetes, `1.36`, that the chart may ask for
 * @throws LaunchError when helm is not there, or refuses the chart
 */
export async function renderChart(
  folder: string,
  { namespace, release: kubernetes }: { readonly namespace: string; readonly release: string },
): Promise<Sources> {
  const release = basename(resolve(folder)).replaceAll('_', '-').toLowerCase();
  // Without it a chart is rendered for the release that helm was built with.
  const versions = ['--kube-version', kubernetes];
  const args = ['template', release, folder, '--namespace', namespace, '--include-crds', ...versions];
  return readText(folder, await runRenderer(`${folder}, a chart`, [['helm', ...args]]));
}
