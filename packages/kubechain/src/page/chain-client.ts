import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import { pageUserAgent } from '@kubechain/apiserver/observe';
import type { KeyPair } from '../pki/key-pair-files.ts';
import type { ProcessHealth } from './feed-messages.ts';

const http = process.getBuiltinModule('node:http');
const https = process.getBuiltinModule('node:https');

const answerWithinMs = 3_000;
/** Longest answer that the page is given, bytes. */
const longestAnswer = 32 * 1024 * 1024;

/** An answer of the chain. */
export interface ChainAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: Buffer;
}

/** Asks the chain with the administrator's certificate, for reading only. */
export class ChainClient {
  readonly #url: URL;
  readonly #tls: { readonly ca: string; readonly cert: string; readonly key: string };
  readonly #agent = new https.Agent({ keepAlive: true, maxSockets: 4 });

  constructor(url: string, ca: string, client: KeyPair) {
    this.#url = new URL(url);
    this.#tls = { ca, cert: client.cert, key: client.key };
  }

  /** @throws Error when nobody answers in time */
  get(path: string): Promise<ChainAnswer> {
    const { hostname, port } = this.#url;
    return answerOf((onAnswer) =>
      https.request(
        { ...this.#tls, agent: this.#agent, host: hostname, port, path, headers: { 'User-Agent': pageUserAgent } },
        onAnswer,
      ),
    );
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** Whether a server behind the first is ready, asked where the process in front asks it. */
export function healthOverSocket(socketPath: string): Promise<ProcessHealth> {
  const headers = {
    'User-Agent': pageUserAgent,
    'X-Remote-User': 'kubernetes-admin',
    'X-Remote-Group': 'system:masters',
  };
  const options: RequestOptions = { socketPath, path: '/readyz?verbose', headers };
  return healthOf(answerOf((onAnswer) => http.request(options, onAnswer)));
}

/** Reads what /readyz?verbose says. */
export async function healthOf(asked: Promise<ChainAnswer>): Promise<ProcessHealth> {
  try {
    const { body, status } = await asked;
    const lines = body.toString('utf8').split('\n');
    const problems = lines.filter((line) => line.startsWith('[-]')).map((line) => line.slice(3));
    return {
      kind: status === 200 ? 'ready' : 'failing',
      problems,
      checks: lines.filter((line) => /^\[[+-]\]/.test(line)).length,
    };
  } catch (error) {
    return { kind: 'unreachable', problems: [(error as Error).message], checks: 0 };
  }
}

function answerOf(call: (onAnswer: (response: IncomingMessage) => void) => ClientRequest): Promise<ChainAnswer> {
  return new Promise((resolve, reject) => {
    const request = call((response) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > longestAnswer) request.destroy(new Error('the answer is too long for the page'));
        else chunks.push(chunk);
      });
      response.once('error', reject);
      response.once('end', () => {
        resolve({
          status: response.statusCode ?? 0,
          contentType: response.headers['content-type'] ?? 'text/plain',
          body: Buffer.concat(chunks),
        });
      });
    });
    request.setTimeout(answerWithinMs, () => request.destroy(new Error('no answer in time')));
    request.once('error', reject);
    request.end();
  });
}
