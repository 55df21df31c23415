import { connect } from 'node:net';
import { LaunchError } from '../../launch-error.ts';

/** Names the socket of the process that starts the workers; set in workers only, and in that process. */
export const ADDRESS_VARIABLE = 'KUBECHAIN_WORKER_ENVIRONMENTS';

/** What a worker hears. */
export interface Answer {
  readonly kubeconfig?: string;
  /** Why it has none. */
  readonly refused?: string;
}

/** Whether this process may ask for an environment. */
export function hasWorkerEnvironments(): boolean {
  return process.env[ADDRESS_VARIABLE] !== undefined;
}

/**
 * Sets `KUBECONFIG` to the environment of this worker, as its runner numbers it.
 * @throws LaunchError when it cannot start
 */
export async function useWorkerEnvironment(): Promise<void> {
  const { kubeconfig, refused } = JSON.parse(await ask(process.env[ADDRESS_VARIABLE] ?? '', workerId())) as Answer;
  if (kubeconfig === undefined) throw new LaunchError('Process', refused ?? 'no environment for this worker');
  process.env['KUBECONFIG'] = kubeconfig;
}

/** Node's runner has a process for each file, and before 24.10 no numbers for them. */
function workerId(): string {
  const { JEST_WORKER_ID, MOCHA_WORKER_ID, NODE_TEST_WORKER_ID, VITEST_POOL_ID } = process.env;
  return VITEST_POOL_ID ?? JEST_WORKER_ID ?? MOCHA_WORKER_ID ?? NODE_TEST_WORKER_ID ?? `process ${process.pid}`;
}

function ask(address: string, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect({ path: address, allowHalfOpen: true }, () => socket.end(text));
    socket.setEncoding('utf8').on('data', (chunk: string) => (answer += chunk));
    socket.once('error', reject);
    socket.once('end', () => {
      resolve(answer);
    });
  });
}
