import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { messageOf } from '@kubechain/apimachinery';
import { readBody } from '../endpoints/handlers/read-body.ts';
import { listenUnix } from '../server/delegation/delegate-listener.ts';
import type { Control } from './control.ts';
import { answerControlCall } from './control-api.ts';

const { createServer } = process.getBuiltinModule('node:http');

/** A snapshot of some hundred thousand objects. */
const longestBodyBytes = 1024 * 1024 * 1024;

/** Serves the control API on a unix socket that only its owner can connect to. */
export class ControlListener {
  readonly #server: Server;

  constructor(control: Control) {
    this.#server = createServer((request, response) => {
      void serve(control, request, response);
    });
  }

  /** @throws OptionsError that names the flag */
  async listen(path: string): Promise<void> {
    await listenUnix(this.#server, path, 'control-listen');
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

async function serve(control: Control, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => {
    gone.abort();
  });
  const url = new URL(request.url ?? '/', 'http://localhost');
  let status = 400;
  let body: unknown;
  try {
    ({ body, status } = await answerControlCall(control, {
      method: request.method ?? 'GET',
      path: url.pathname,
      query: url.searchParams,
      body: (await readBody(request, longestBodyBytes)).toString('utf8'),
      signal: gone.signal,
    }));
  } catch (error) {
    body = { error: messageOf(error) };
  }
  const text = typeof body === 'string' ? body : `${JSON.stringify(body)}\n`;
  response.writeHead(status, {
    'Content-Type': typeof body === 'string' ? 'text/plain; charset=utf-8' : 'application/json',
    'Content-Length': Buffer.byteLength(text),
  });
  response.end(text);
}
