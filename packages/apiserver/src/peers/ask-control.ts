// Not imported: an import reads all exports of node:http, and one of them loads undici.
const { request } = process.getBuiltinModule('node:http');

/** How a process of the chain asks the control API of the first one. */
export interface ControlQuestion {
  readonly method: 'GET' | 'POST';
  readonly socketPath: string;
  readonly signal: AbortSignal;
  /** JSON. */
  readonly body?: string;
}

/** Resolves to what is answered with 200. @throws Error where nobody answers, or something else is answered */
export function ask<T>(path: string, { body, method, signal, socketPath }: ControlQuestion): Promise<T> {
  return new Promise((resolve, reject) => {
    const headers = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
    const call = request({ socketPath, method, path, headers, agent: false, signal }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.once('error', reject);
      answer.once('end', () => {
        const text = Buffer.concat(chunks).toString();
        if (answer.statusCode !== 200) reject(new TypeError(`the control API answered ${answer.statusCode}: ${text}`));
        else resolve(JSON.parse(text) as T);
      });
    });
    call.once('error', reject);
    call.once('socket', (socket) => socket.unref());
    call.end(body);
  });
}
