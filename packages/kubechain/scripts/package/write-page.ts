import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildPage } from '../../src/page/page-files.ts';

/** Writes what the browser loads of the chain's page. Resolves to the files that went in. */
export async function writePage(folder: string): Promise<readonly string[]> {
  const { document, inputs, script, style } = await buildPage();
  mkdirSync(folder);
  for (const [name, text] of [
    ['index.html', document],
    ['page.js', script],
    ['page.css', style],
  ] as const)
    writeFileSync(join(folder, name), text);
  return inputs;
}
