/** The program of a thread of servers that are called: see called-thread.ts. */
import { enableCompileCache } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';
import type { CalledThreadData, FromCalledThread, ToCalledThread } from './called-messages.ts';

enableCompileCache();
const port = parentPort;
if (port === null) throw new TypeError('this program is run by CalledThread');
const say = (message: FromCalledThread): void => {
  port.postMessage(message);
};
// The servers come with it, and what has been compiled of them.
const [{ openCalledServers }, { failureOf }] = await Promise.all([
  import('./called-servers.ts'),
  import('./failure-of.ts'),
]);
try {
  const call = await openCalledServers(workerData as CalledThreadData);
  port.on('message', ({ call: called, id }: ToCalledThread) => {
    call(called).then(
      ({ body, headers, status }) => {
        const warning = [headers['warning'] ?? []].flat().join(', ');
        say({ kind: 'answer', id, status, warning, text: body.toString() });
      },
      (error: unknown) => {
        say({ kind: 'broken', id, failure: failureOf(error) });
      },
    );
  });
} catch (error) {
  say({ kind: 'failed', failure: failureOf(error) });
}
