import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { LaunchError } from '../launch-error.ts';

const largestOutputBytes = 256 * 1024 * 1024;

/** A program and what it is given. */
export type Renderer = readonly [program: string, ...args: string[]];

/**
 * What the first of some programs prints that is installed.
 * @param what is rendered, for errors
 * @throws LaunchError when none is, and with what the program says when it fails
 */
export async function runRenderer(what: string, renderers: readonly Renderer[]): Promise<string> {
  for (const [program, ...args] of renderers)
    try {
      const { stdout } = await promisify(execFile)(program, args, { maxBuffer: largestOutputBytes });
      return stdout;
    } catch (cause) {
      const { code, stderr = '' } = cause as { readonly code?: unknown; readonly stderr?: string };
      if (code === 'ENOENT') continue;
      const said = stderr.trim() || (cause instanceof Error ? cause.message : String(cause));
      throw new LaunchError('Usage', `${what}: ${program}: ${said}`, { cause });
    }
  const programs = renderers.map(([program]) => program).join(' or ');
  throw new LaunchError('Usage', `${what}, is rendered by ${programs}, which is not on the PATH`);
}
