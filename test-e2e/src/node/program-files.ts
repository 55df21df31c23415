import { chmodSync, copyFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { execute } from '../harness/run.ts';

/** Puts a program into the root of an image, at an absolute path, with the libraries of this machine that it needs. */
export async function addProgram(root: string, program: string, path: string): Promise<void> {
  add(root, program, path);
  chmodSync(join(root, path), 0o755);
  // A program that is linked statically has none, and ldd says so by its exit code.
  const { stdout } = await execute('ldd', [program]);
  for (const [, library = ''] of stdout.matchAll(/(?:=> )?(\/\S+) \(0x/g)) add(root, library, library);
}

function add(root: string, file: string, path: string): void {
  const target = join(root, path);
  mkdirSync(dirname(target), { recursive: true });
  copyFileSync(file, target);
}
