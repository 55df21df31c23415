import manifest from '../../package.json' with { type: 'json' };
import { isLaunchError, LaunchError } from '../launch-error.ts';
import { HELP } from './help.ts';

/** The command: does what the arguments say and resolves to the exit code. What goes wrong is one line on stderr. */
export async function main(args: readonly string[]): Promise<number> {
  try {
    return await run(args);
  } catch (error) {
    process.stderr.write(
      `kubechain: ${isLaunchError(error) ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    );
    return 1;
  }
}

async function run(args: readonly string[]): Promise<number> {
  const [command, ...rest] = args;
  if (
    command === undefined ||
    args.some((argument) => argument === '--help' || argument === '-h') ||
    command === 'help'
  ) {
    process.stdout.write(HELP);
    return 0;
  }
  if (command === '--version' || command === 'version') {
    process.stdout.write(`kubechain ${manifest.version}\n`);
    return 0;
  }
  if (command !== 'up')
    throw new LaunchError('Usage', `unknown command ${JSON.stringify(command)}; see kubechain --help`);
  // Loaded now, so that help and version are answered at once.
  const { up } = await import('./up.ts');
  return up(rest);
}
