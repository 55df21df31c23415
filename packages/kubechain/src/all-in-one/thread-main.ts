/** The program of a thread of clusters: see cluster-thread.ts. */
import { enableCompileCache } from 'node:module';
import { parentPort } from 'node:worker_threads';
import { Logger } from '@kubechain/apiserver/logging';
import { ThreadBeats } from '@kubechain/apiserver/watchdog';
import { collectAtRest } from '../supervisor/collect-at-rest.ts';
import type { FromThread, ToThread } from './thread-messages.ts';

enableCompileCache();
const log = new Logger('process');
// As in a server's own process: a request that goes wrong must not take the others with it.
process.on('unhandledRejection', (reason) => {
  log.error('unhandled rejection', reason instanceof Error ? (reason.stack ?? reason) : reason);
});
const port = parentPort;
if (port === null) throw new TypeError('this program is run by ClusterThread');
// The servers come with it, and what has been compiled of them.
const { ThreadClusters } = await import('./thread-clusters.ts');
// Only where `gc` was exposed before this thread began.
collectAtRest();
const say = (message: FromThread): void => {
  port.postMessage(message);
};
const beats = new ThreadBeats({ tell: say });
const clusters = new ThreadClusters(say, beats);
port.on('message', (message: ToThread) => {
  switch (message.kind) {
    case 'start':
      void clusters.start(message);
      return;
    case 'close':
      void clusters.close(message.id);
      return;
    case 'went-on':
      beats.wentOn(message.held);
      return;
    case 'exit':
      port.close();
      return;
    default:
      message satisfies never;
  }
});
