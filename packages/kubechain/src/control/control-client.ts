// Not imported: an import reads all exports of node:http, and one of them loads undici (50 ms of every command).
const { request } = process.getBuiltinModule('node:http');
import { LaunchError } from '../launch-error.ts';
import { locateDataDir } from '../data-dir/data-dir.ts';
import { controlAddress } from './control-address.ts';

/** Calls the control API of the chain that runs on a data directory (docs/control-api.md). */
export class ControlClient {
  readonly #socketPath: string;
  readonly #dataDir: string;
  readonly #base: string;

  /** @param tenant whose control API is called; default: the chain's own */
  constructor(dataDir: string, tenant?: string) {
    this.#socketPath = controlAddress(dataDir).slice('unix:'.length);
    this.#dataDir = locateDataDir(dataDir).root;
    this.#base = tenant === undefined ? '/v1' : `/v1/tenants/${encodeURIComponent(tenant)}`;
  }

  /** The answer's text. @throws LaunchError with what the API says is wrong, or that nobody answers */
  async text(method: string, path: string, body?: string): Promise<string> {
    const { status, text } = await this.#call(method, path, body);
    if (status < 300) return text;
    throw new LaunchError('Control', errorOf(text) ?? `${method} ${path} answered ${status}`);
  }

  /** The answer's JSON. @throws LaunchError as `text` */
  async json<T>(method: string, path: string, body?: unknown): Promise<T> {
    return JSON.parse(await this.text(method, path, body === undefined ? undefined : JSON.stringify(body))) as T;
  }

  #call(method: string, called: string, body?: string): Promise<{ readonly status: number; readonly text: string }> {
    return new Promise((resolve, reject) => {
      const path = called.replace(/^\/v1(?=\/)/, this.#base);
      const headers = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
      // A connection for each call: a kept one may have been closed while this process was held.
      const call = request({ socketPath: this.#socketPath, method, path, headers, agent: false }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.once('error', reject);
        response.once('end', () => {
          resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') });
        });
      });
      call.once('error', (error: NodeJS.ErrnoException) => {
        const absent = error.code === 'ENOENT' || error.code === 'ECONNREFUSED';
        reject(
          absent
            ? new LaunchError(
                'Control',
                `no chain that runs on '${this.#dataDir}' serves the control API: kubechain up --control starts one`,
                { cause: error },
              )
            : error,
        );
      });
      call.end(body);
    });
  }
}

function errorOf(text: string): string | undefined {
  try {
    return (JSON.parse(text) as { readonly error?: string }).error;
  } catch {
    return undefined;
  }
}
