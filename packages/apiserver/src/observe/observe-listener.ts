import type { Server, ServerResponse } from 'node:http';
import { controlAddress } from '../control/control-address.ts';
import { listenUnix } from '../server/delegation/delegate-listener.ts';
import type { ProcessMessage } from './messages.ts';
import type { RequestObserver } from './request-observer.ts';

const { createServer } = process.getBuiltinModule('node:http');

const flag = 'observe-listen';
/** How often lines are sent: in one piece, for the sake of both sides. */
const sendEveryMs = 100;
/** What a listener may leave unread; requests that have ended are left out then, nothing else is. */
const mostUnreadBytes = 4 * 1024 * 1024;
/** Lines kept until they are sent; what comes when it is full is left out. */
const mostLines = 200;

/** Tells what a process observes, a line of JSON each, to whoever asks on a unix socket that only its owner can use. */
export class ObserveListener {
  readonly #server: Server;

  constructor(observer: RequestObserver) {
    this.#server = createServer((_, response) => {
      follow(observer, response);
    });
  }

  /** @param address `unix:PATH` @throws OptionsError that names the flag */
  async listen(address: string): Promise<void> {
    await listenUnix(this.#server, controlAddress(address, flag), flag);
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

function follow(observer: RequestObserver, response: ServerResponse): void {
  let lines: string[] = [];
  response.writeHead(200, { 'Content-Type': 'application/x-ndjson' });
  response.flushHeaders();
  const stop = observer.subscribe((message: ProcessMessage) => {
    const room = lines.length < mostLines && response.writableLength < mostUnreadBytes;
    if (message.kind !== 'request' || room) lines.push(`${JSON.stringify(message)}\n`);
  });
  const timer = setInterval(() => {
    if (lines.length === 0) return;
    response.write(lines.join(''));
    lines = [];
  }, sendEveryMs);
  timer.unref();
  response.once('close', () => {
    clearInterval(timer);
    stop();
  });
}
