import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { loadKubeconfig } from '../../packages/controllers/src/client/kubeconfig.ts';

/** Where a kube-apiserver is, and who asks. */
export interface ServerOptions {
  readonly url: string;
  readonly token?: string;
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

export interface Answer {
  readonly body: string;
  /** Text of the answer's `Warning` header. */
  readonly warning?: string;
}

/** A kube-apiserver that is asked for its facts, as an administrator; every answer but 200 ends the recording. */
export class Server {
  readonly #options: ServerOptions;

  constructor(options: ServerOptions) {
    this.#options = options;
  }

  async json<T>(path: string, accept = 'application/json'): Promise<T> {
    return JSON.parse((await this.answer(path, accept)).body) as T;
  }

  answer(path: string, accept = '*/*'): Promise<Answer> {
    const { url, token, ...tls } = this.#options;
    return new Promise((resolve, reject) => {
      const asked = request(
        new URL(path, url),
        {
          ...tls,
          rejectUnauthorized: tls.ca !== undefined,
          headers: { accept, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('end', () => {
            const body = Buffer.concat(chunks).toString();
            const warning = /^299 - "(.*)"$/.exec([response.headers['warning']].flat().join(''))?.[1];
            if (response.statusCode === 200) resolve(warning === undefined ? { body } : { body, warning });
            else reject(new Error(`${path}: ${String(response.statusCode)} ${body}`));
          });
        },
      );
      asked.on('error', reject);
      asked.end();
    });
  }
}

/** The server of a kubeconfig's current context. */
export async function serverOfKubeconfig(path: string): Promise<ServerOptions> {
  const { server, ca, clientCertificate, token } = await loadKubeconfig(path);
  return {
    url: server,
    ...(ca === undefined ? {} : { ca: ca.toString() }),
    ...(clientCertificate === undefined
      ? {}
      : { cert: clientCertificate.cert.toString(), key: clientCertificate.key.toString() }),
    ...(token === undefined ? {} : { token: token() }),
  };
}

/** The text of a file that was named on the command line. */
export function fileText(path: string | undefined): string | undefined {
  return path === undefined ? undefined : readFileSync(path, 'utf8');
}
