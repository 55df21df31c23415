import { existsSync, renameSync, rmSync } from 'node:fs';
import { run } from '../harness/run.ts';

const MIRROR = 'http://deb.debian.org/debian';
const RELEASE = 'bookworm';

/** Debian's smallest system with some packages, put into a folder unless it is there already. */
export async function debian(folder: string, packages: readonly string[]): Promise<void> {
  if (existsSync(folder)) return;
  const unfinished = `${folder}.${process.pid}`;
  await run('debootstrap', ['--variant=minbase', `--include=${packages.join(',')}`, RELEASE, unfinished, MIRROR]);
  for (const path of ['var/cache/apt/archives', 'var/lib/apt/lists'])
    rmSync(`${unfinished}/${path}`, { recursive: true, force: true });
  renameSync(unfinished, folder);
}
