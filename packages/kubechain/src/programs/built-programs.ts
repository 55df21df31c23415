import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The directory of the programs in a published package, where they lie beside the bundled form of this module.
 * Undefined in a checkout and in packages that are not bundled: there each program is a file of its own package.
 */
export const builtPrograms: string | undefined = ((here) => (existsSync(join(here, 'etcd.js')) ? here : undefined))(
  dirname(fileURLToPath(import.meta.url)),
);

/** The file of a built program; undefined as builtPrograms. */
export function builtProgram(name: string): string | undefined {
  return builtPrograms === undefined ? undefined : join(builtPrograms, `${name}.js`);
}
