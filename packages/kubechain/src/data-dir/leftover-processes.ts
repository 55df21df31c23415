import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { DataDir } from './data-dir.ts';

/** Children of a command that was killed end within five seconds: see child-guard.ts. */
const PATIENCE_MS = 6_000;
const LOOK_MS = 50;

/**
 * Waits for processes whose command was killed and which are still ending: their sockets are in the way of new ones.
 * To be called by whoever holds the locks of all processes; gives up after six seconds, and leaves it to those who
 * listen to say what is in the way.
 */
export async function waitForLeftovers({ run }: DataDir, patienceMs = PATIENCE_MS): Promise<void> {
  const sockets = readdirSync(run)
    .filter((name) => name.endsWith('.sock') && !name.endsWith('.lock.sock'))
    .map((name) => join(run, name));
  const deadline = performance.now() + patienceMs;
  for (const path of sockets) while (performance.now() < deadline && (await answers(path))) await delay(LOOK_MS);
}

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
