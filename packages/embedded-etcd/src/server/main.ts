import { followMoves } from '@kubechain/apimachinery/movable-clock';
import { FlagError, USAGE, parseFlags } from './flags.ts';

/**
 * The process: follows the flags, prints one line of JSON when it serves, ends
 * cleanly on SIGTERM and SIGINT (a second one ends it at once), and says in one
 * line, with exit code 1, why it cannot start.
 */
export async function main(args: readonly string[]): Promise<void> {
  try {
    await serve(args);
  } catch (error) {
    fail(error);
  }
}

async function serve(args: readonly string[]): Promise<void> {
  const flags = parseFlags(args);
  if (flags.help) {
    process.stdout.write(USAGE);
    return;
  }
  // Loaded now, so that --help and a wrong flag are answered at once.
  const { run } = await import('./run.ts');
  const movable = followMoves(process);
  const server = await run(flags, movable);
  let stopping = false;
  const stop = (): void => {
    if (stopping) process.exit(1);
    stopping = true;
    server.close().then(() => process.exit(0), fail);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  process.stdout.write(`${JSON.stringify({ endpoint: server.endpoint, pid: process.pid })}\n`);
}

function fail(error: unknown): never {
  const message =
    error instanceof FlagError
      ? error.message
      : error instanceof Error
        ? (error.stack ?? error.message)
        : String(error);
  process.stderr.write(`embedded-etcd: ${message}\n`);
  process.exit(1);
}
