import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
/** Of the files of programs: of a published package, of an image. */
const ending = ['.js', '.mjs'].find((each) => existsSync(join(here, `cli${each}`)));

/**
 * The directory of the programs in a published package or an image, where they lie beside the bundled form of this
 * module, with the command. Undefined in a checkout and in packages that are not bundled: there each program is a file
 * of its own package.
 */
export const builtPrograms: string | undefined = ending === undefined ? undefined : here;

/** The file of a built program; undefined as builtPrograms. */
export function builtProgram(name: string): string | undefined {
  return ending === undefined ? undefined : join(here, `${name}${ending}`);
}
