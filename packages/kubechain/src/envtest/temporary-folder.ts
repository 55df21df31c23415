import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Waits for the end of who holds the other end of its input, however that ends, and removes the folder then. */
const REMOVER = 'trap "" HUP INT TERM; read -r _; exec rm -rf -- "$0"';

/**
 * A folder that goes with this process. Some ports of envtest end programs by SIGKILL, and tests that do so every time
 * would fill the disk: a shell is left behind for the moment that it takes to remove the folder.
 */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'kubechain-'));
  const remover = spawn('/bin/sh', ['-c', REMOVER, folder], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  // Without a shell the folder goes when the process is ended in order.
  remover.once('error', () => undefined);
  remover.unref();
  (remover.stdin as typeof remover.stdin & { unref(): void }).unref();
  process.once('exit', () => {
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}
