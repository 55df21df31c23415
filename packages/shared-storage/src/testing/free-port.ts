import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Below what systems give to outgoing connections (from 32768 on Linux, 49152 elsewhere): a client that knocks at a
 * server that is restarting would otherwise now and then get that server's port as its own. Above those that recorded
 * transcripts name.
 */
const FIRST = 24_000;
const COUNT = 8_000;

/** One file per port that is given to a test process. */
const claims = join(tmpdir(), `kubechain-test-ports-${process.getuid?.() ?? 'all'}`);
const own: string[] = [];

/**
 * A TCP port of 127.0.0.1 that nobody listens on, and that is this process's until it ends: no other process gets it
 * here, so that a server may listen on it later, and again after a restart. What a killed process has claimed stays
 * claimed until the temporary directory is cleared.
 * @throws Error when none is left
 */
export async function freePort(): Promise<number> {
  mkdirSync(claims, { recursive: true });
  const start = Math.floor(Math.random() * COUNT);
  for (let i = 0; i < COUNT; i++) {
    const port = FIRST + ((start + i) % COUNT);
    if (claim(port) && (await isFree(port))) return port;
  }
  throw new Error(`all ports from ${FIRST} to ${FIRST + COUNT - 1} are claimed: see ${claims}`);
}

function claim(port: number): boolean {
  const file = join(claims, String(port));
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
  if (own.length === 0)
    process.once('exit', () => {
      for (const claimed of own) rmSync(claimed, { force: true });
    });
  own.push(file);
  return true;
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => {
      server.close(() => resolve(true));
    });
  });
}
