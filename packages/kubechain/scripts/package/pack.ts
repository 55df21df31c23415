/** Makes tarballs of what `npm run build` has built, in `dist/npm`: `npm run pack`. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolders, root } from './workspace.ts';

const output = join(root, 'dist/npm');
rmSync(output, { recursive: true, force: true });
mkdirSync(output, { recursive: true });
for (const folder of packageFolders()) {
  const [packed] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', output], {
      cwd: join(root, 'dist/packages', folder),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  ) as { readonly filename: string; readonly unpackedSize: number }[];
  if (packed === undefined) throw new TypeError(`npm packed nothing of ${folder}`);
  process.stdout.write(`dist/npm/${packed.filename} (${(packed.unpackedSize / 1e6).toFixed(1)} MB)\n`);
}
