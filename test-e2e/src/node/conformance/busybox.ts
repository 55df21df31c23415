import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../../harness/run.ts';

const SOURCE = 'http://deb.debian.org/debian/pool/main/b/busybox/busybox_1.35.0.orig.tar.bz2';
const SHA256 = 'faeeb244c35a348a334f4a59e44626ee870fb07b6884d68c10ae8bc19f83a694';

/**
 * Resolves to a busybox of its own sources and their default configuration, as images have it, built when it is not in
 * `folder`. Debian's has a shell that takes its own applets for programs of the same names, and drops variables whose
 * names are no identifiers; tests look for both.
 */
export async function busyboxProgram(folder: string): Promise<string> {
  const program = join(folder, 'busybox');
  if (existsSync(program)) return program;
  const sources = join(folder, `busybox-sources.${process.pid}`);
  mkdirSync(sources);
  try {
    const archive = join(sources, 'sources.tar.bz2');
    await run('curl', ['--silent', '--show-error', '--fail', '--output', archive, SOURCE], { timeoutMs: 120_000 });
    const sum = createHash('sha256').update(readFileSync(archive)).digest('hex');
    if (sum !== SHA256) throw new Error(`${SOURCE} has another SHA-256 than expected: ${sum}`);
    await run('tar', ['-xf', archive, '-C', sources, '--strip-components', '1']);
    await run('make', ['-C', sources, 'defconfig']);
    const file = join(sources, '.config');
    // Of tc the sources do not compile with today's headers of the kernel.
    const configuration = readFileSync(file, 'utf8')
      .replace('# CONFIG_STATIC is not set', 'CONFIG_STATIC=y')
      .replace('CONFIG_TC=y', '# CONFIG_TC is not set');
    writeFileSync(file, configuration);
    await run('make', ['-C', sources, '-j2', 'busybox']);
    renameSync(join(sources, 'busybox'), program);
  } finally {
    rmSync(sources, { recursive: true, force: true });
  }
  return program;
}
