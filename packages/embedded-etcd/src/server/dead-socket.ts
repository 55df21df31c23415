import { unlinkSync } from 'node:fs';
import { connect } from 'node:net';

/**
 * Removes the socket file of a process that was killed: nobody listens on it, yet
 * it would refuse the next to listen. A socket that answers is left alone.
 */
export async function removeDeadSocket(path: string): Promise<void> {
  const dead = await new Promise<boolean>((resolve) => {
    const probe = connect(path);
    probe.once('connect', () => {
      probe.destroy();
      resolve(false);
    });
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'ECONNREFUSED'));
  });
  if (dead) unlinkSync(path);
}
