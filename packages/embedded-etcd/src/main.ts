import { FlagError, USAGE, parseFlags } from './server/flags.ts';

/** The process: reads flags, serves until SIGTERM or SIGINT, and says in one line why it cannot. */
async function main(): Promise<void> {
  const flags = parseFlags(process.argv.slice(2));
  if (flags.help) {
    process.stdout.write(USAGE);
    return;
  }
  // Loaded now, so that --help and a wrong flag are answered at once.
  const { run } = await import('./server/run.ts');
  const server = await run(flags);
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

function fail(error: unknown): void {
  const message = error instanceof FlagError ? error.message : error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`embedded-etcd: ${message}\n`);
  process.exit(1);
}

main().catch(fail);
