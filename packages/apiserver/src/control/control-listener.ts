import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { messageOf } from '@kubechain/apimachinery';
import { readBody } from '../endpoints/handlers/read-body.ts';
import { listenUnix } from '../server/delegation/delegate-listener.ts';
import type { ControlAnswer, ControlCall } from './control-call.ts';
import type { Control } from './control.ts';
import { answerControlCall } from './control-api.ts';

const { createServer } = process.getBuiltinModule('node:http');

/** A snapshot of some hundred thousand objects. */
const longestBodyBytes = 1024 * 1024 * 1024;

/** Serves the control API on a unix socket that only its owner can connect to. */
export class ControlListener {
  readonly #server: Server;

  constructor(control: Control) {
    this.#server = createServer(controlHandler((call) => answerControlCall(control, call)));
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

/** Answers requests of HTTP as calls of a control API. */
export function controlHandler(
  answer: (call: ControlCall) => Promise<ControlAnswer>,
): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    void serve(answer, request, response);
  };
}

async function serve(
  answer: (call: ControlCall) => Promise<ControlAnswer>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => {
    gone.abort();
  });
  const url = new URL(request.url ?? '/', 'http://localhost');
  let status = 400;
  let body: unknown;
  try {
    ({ body, status } = await answer({
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
