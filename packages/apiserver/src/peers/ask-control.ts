// Not imported: an import reads all exports of node:http, and one of them loads undici.
const { request } = process.getBuiltinModule('node:http');

/** What is called, over a unix socket. */
export interface ControlQuestion {
  readonly method: string;
  readonly path: string;
  readonly query?: URLSearchParams;
  /** JSON, or a text. */
  readonly body?: string;
  readonly signal?: AbortSignal;
}

/** Its answer: JSON, or a text. */
interface ControlReply {
  readonly status: number;
  readonly body: unknown;
}

/**
 * Calls a control API of another process of the chain; waiting for it keeps no process alive.
 * @throws Error where nobody answers
 */
export function callControl(socketPath: string, question: ControlQuestion): Promise<ControlReply> {
  const { body, method, query, signal } = question;
  return new Promise((resolve, reject) => {
    const path = query === undefined || query.size === 0 ? question.path : `${question.path}?${query.toString()}`;
    const headers = body === undefined || body === '' ? {} : { 'Content-Length': Buffer.byteLength(body) };
    const ended = signal === undefined ? {} : { signal };
    const call = request({ socketPath, method, path, headers, agent: false, ...ended }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.once('error', reject);
      answer.once('end', () => {
        const text = Buffer.concat(chunks).toString();
        const isJSON = String(answer.headers['content-type']).startsWith('application/json');
        resolve({ status: answer.statusCode ?? 0, body: isJSON ? (JSON.parse(text) as unknown) : text });
      });
    });
    call.once('error', reject);
    call.once('socket', (socket) => socket.unref());
    call.end(body);
  });
}

/** Resolves to what is answered with 200. @throws Error where nobody answers, or something else is answered */
export async function ask<T>(socketPath: string, question: ControlQuestion): Promise<T> {
  const { body, status } = await callControl(socketPath, question);
  if (status !== 200) throw new TypeError(`the control API answered ${status}: ${JSON.stringify(body)}`);
  return body as T;
}
