/**
 * Builds all packages that can be published, into `dist/packages`: `npm run build`. Types must have been checked, since
 * declarations come from there.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PackageDescriptions, recordDescriptions, RECORDED_FILE_NAME } from '@kubechain/apiserver/descriptions';
import { buildCommand } from './build-command.ts';
import { buildLibrary } from './build-library.ts';
import { packageFolders, root } from './workspace.ts';

const output = join(root, 'dist/packages');
for (const folder of packageFolders()) {
  if (folder === 'kubechain') await buildCommand(join(output, folder));
  else buildLibrary(folder, join(output, folder));
}
writeFileSync(
  join(output, 'apiserver/dist/openapi', RECORDED_FILE_NAME),
  recordDescriptions(new PackageDescriptions()),
);
