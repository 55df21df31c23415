import { Session } from 'node:inspector';
import type { Worker } from 'node:worker_threads';
import { stackText, type CallFrame } from './stack-text.ts';

/** What is read of what a thread says to a debugger. */
interface DebuggerMessage {
  readonly method?: string;
  readonly params?: {
    readonly scriptId?: string;
    readonly url?: string;
    readonly callFrames?: readonly CallFrame[];
  };
}

/**
 * Interrupts the JavaScript of a thread, whatever it does, for a moment, and tells where it was (`stackText`). Tells
 * nothing where this thread cannot: where it is not the main thread.
 */
export function stackOfWorker(worker: Worker, take: (stack: string) => void): void {
  const session = new Session();
  session.connect();
  const scripts = new Map<string, string>();
  let sessionId: string | undefined;
  let lastId = 0;
  const say = (method: string): void => {
    if (sessionId === undefined) return;
    session.post('NodeWorker.sendMessageToWorker', { sessionId, message: JSON.stringify({ id: ++lastId, method }) });
  };
  session.on('NodeWorker.attachedToWorker', ({ params }) => {
    // Its `workerId` is a number of this session's own.
    if (!params.workerInfo.title.startsWith(`[worker ${worker.threadId}]`)) return;
    ({ sessionId } = params);
    say('Debugger.enable');
    say('Debugger.pause');
  });
  session.on('NodeWorker.detachedFromWorker', ({ params }) => {
    if (params.sessionId === sessionId) session.disconnect();
  });
  session.on('NodeWorker.receivedMessageFromWorker', ({ params: received }) => {
    if (received.sessionId !== sessionId) return;
    const { method, params = {} } = JSON.parse(received.message) as DebuggerMessage;
    if (method === 'Debugger.scriptParsed') scripts.set(params.scriptId ?? '', params.url ?? '');
    if (method !== 'Debugger.paused') return;
    say('Debugger.resume');
    say('Debugger.disable');
    // Ends the thread's session as well.
    session.disconnect();
    take(stackText(params.callFrames ?? [], scripts));
  });
  session.post('NodeWorker.enable', { waitForDebuggerOnStart: false }, (error) => {
    if (error !== null) session.disconnect();
  });
}
