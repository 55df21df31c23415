import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './workspace.ts';

/** The licences of all packages that files of a bundle come from, as one text. `inputs` are relative to the root. */
export function thirdPartyNotices(inputs: Iterable<string>): string {
  const folders = new Set<string>();
  for (const input of inputs) {
    const folder = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0];
    if (folder !== undefined) folders.add(folder);
  }
  return [...folders]
    .sort()
    .map((folder) => {
      const { license, name, version } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as {
        readonly name: string;
        readonly version: string;
        readonly license?: string;
      };
      return `${'='.repeat(80)}\n${name} ${version}: ${license ?? 'see below'}\n\n${licenseText(join(root, folder))}\n`;
    })
    .join('\n');
}

function licenseText(folder: string): string {
  const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
  return file === undefined || !existsSync(join(folder, file)) ? '' : readFileSync(join(folder, file), 'utf8').trim();
}
