import { CommanderError } from 'commander';
import { isLaunchError } from '../launch-error.ts';
import { createProgram } from './program.ts';

/** The command: does what the arguments say and resolves to the exit code. What goes wrong is one line on stderr. */
export async function main(args: readonly string[]): Promise<number> {
  endWithReaders(args[0] ?? '');
  let code = 0;
  const program = createProgram((result) => {
    code = result;
  });
  try {
    if (args.length === 0) program.outputHelp();
    else await program.parseAsync(args, { from: 'user' });
    return code;
  } catch (error) {
    // It has said why already.
    if (error instanceof CommanderError) return error.exitCode;
    process.stderr.write(`kubechain: ${causeText(error)}\n`);
    return 1;
  }
}

/** What these run goes on where nobody reads any more what is printed. */
const runners: ReadonlySet<string> = new Set(['up', 'debug', 'run', 'trace']);

/** `kubechain logs | head` ends once head has ended, as by SIGPIPE, without a word. */
function endWithReaders(command: string): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    if (!runners.has(command)) process.exit(0);
  });
}

/** What is wrong as one reads it: words for what users can mend, the stack for what they cannot. */
function causeText(error: unknown): string {
  if (isLaunchError(error) || isAboutFile(error)) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** A file that was named and cannot be read or written: the system's own words. */
function isAboutFile(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error && !('address' in error);
}
