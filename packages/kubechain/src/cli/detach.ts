import { spawn } from 'node:child_process';
import { closeSync, fstatSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { locateDataDir } from '../data-dir/data-dir.ts';
import { LaunchError } from '../launch-error.ts';

const LOOK_MS = 20;
/** What `up` prints last when all is ready: see up.ts. */
const READY = /^(?:ready in .*(?:\n {2}.*)*|\{"url".*)\n/m;

/**
 * Runs `up` in a process of its own, which goes on when this one and its terminal are gone, and resolves to what it
 * printed once it is ready. @throws LaunchError with its own line when it could not start
 */
export async function upDetached(dataDir: string, args: readonly string[]): Promise<string> {
  const log = join(locateDataDir(dataDir).root, 'up.log');
  mkdirSync(dirname(log), { recursive: true });
  // Behind what is there: it may be of one that runs, and what is told of that goes on.
  const file = openSync(log, 'a', 0o640);
  const before = fstatSync(file).size;
  const printed = (): string => readFileSync(log).subarray(before).toString('utf8');
  const child = spawn(process.execPath, [...process.execArgv, process.argv[1] ?? '', 'up', ...args], {
    detached: true,
    stdio: ['ignore', file, file],
    // Nobody is to look after the script that we are: it ends now.
    env: { ...process.env, npm_lifecycle_event: '', FORCE_COLOR: '0' },
  });
  closeSync(file);
  let ended = false;
  child.once('exit', () => (ended = true));
  for (;;) {
    const text = printed();
    if (READY.test(text) && text.endsWith('\n')) {
      child.unref();
      return text;
    }
    if (ended) {
      const line = printed().trimEnd().split('\n').at(-1) ?? '';
      throw new LaunchError('Process', line.replace(/^kubechain: /, '') || `it has ended; see ${log}`);
    }
    await delay(LOOK_MS);
  }
}
