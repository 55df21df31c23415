import type { Dial } from '../egress/dial.ts';
import { agentThrough } from '../egress/tls-over.ts';
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Agent as HTTPSAgent } from 'node:https';
import { dirname, resolve } from 'node:path';
import { isPlainObject, limits, messageOf, parseJSON } from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import { yamlValue } from '@kubechain/apimachinery/yaml';
import { ClientTimeout } from './client-timeout.ts';
import { restClientError } from './rest-client-error.ts';
import { trustBundle } from '../certificates/trust-bundle.ts';
import { unusableFlag } from '../options/options-error.ts';
import { boundInformation, MOST_INFORMATION_OF_PEERS } from '../request/bound-information.ts';
import { GatheredBody, readAtMost } from '../request/gathered-body.ts';
import { TurnQueue } from '../request/turn-queue.ts';
import { Turns } from '../request/turns.ts';
import { nodeHTTPS } from '../certificates/node-tls.ts';

// Not imported: an import reads all exports of node:http, and one of them loads undici (90 ms of a start).
const http = process.getBuiltinModule('node:http');

/** How long an answer may take to its end, unless said otherwise. */
const defaultTimeoutMs = 10_000;
/** The same of webhooks that a kubeconfig names (apiserver/pkg/util/webhook, 1.36). */
export const webhookTimeoutMs = 30_000;

/** A body that is written in pieces. `size`: their bytes. */
export interface BodyPieces {
  readonly size: number;
  readonly pieces: () => Iterable<string | Uint8Array>;
}

interface Asked {
  readonly body?: BodyPieces;
  readonly signal: AbortSignal | undefined;
}

interface Credentials {
  readonly ca?: Buffer;
  readonly cert?: Buffer;
  readonly key?: Buffer;
  readonly tokenFile?: string;
  readonly token?: string;
  readonly insecure: boolean;
}

export interface KubeClientOptions {
  /** Which flag named the file, for errors. Default `kubeconfig`. */
  readonly flag?: string;
  /** How long an answer may take to its end, in ms. Default 10,000. */
  readonly timeoutMs?: number;
  /** Makes connections. Default: directly. */
  readonly dial?: Dial | undefined;
}

/** Asks another API server for single objects, as the user of a kubeconfig. Connections are kept. */
export class KubeClient {
  readonly #server: URL;
  readonly #credentials: Credentials;
  readonly #timeoutMs: number;
  readonly #agent: InstanceType<typeof http.Agent>;
  /** Of its answers. */
  readonly #turns = new Turns({ queue: new TurnQueue({ sums: true }) });

  private constructor(server: URL, credentials: Credentials, options: Pick<KubeClientOptions, 'dial' | 'timeoutMs'>) {
    this.#server = server;
    this.#timeoutMs = options.timeoutMs ?? defaultTimeoutMs;
    this.#credentials = credentials;
    this.#agent = isPlain(server) ? plainAgent(options.dial) : tlsAgent(credentials, options.dial);
  }

  /** The current context of a kubeconfig. @throws OptionsError that names `flag` when the file cannot be used */
  static fromKubeconfig(path: string, { flag = 'kubeconfig', ...options }: KubeClientOptions = {}): KubeClient {
    try {
      const config: unknown = yamlValue(readFileSync(path, 'utf8')).value;
      if (!isPlainObject(config)) throw new TypeError('is no kubeconfig');
      return fromConfig(
        config as Kubeconfig,
        dirname(path),
        (server, credentials) => new KubeClient(server, credentials, options),
      );
    } catch (cause) {
      throw unusableFlag(flag, `'${path}': ${messageOf(cause)}`, cause);
    }
  }

  /** @throws StatusError what the server answered instead; Error when it did not */
  get(path: string, signal?: AbortSignal): Promise<KubeObject> {
    return this.#ask('GET', path, { signal });
  }

  /** The path '' is the server's address as the kubeconfig has it. @throws StatusError, Error as `get` */
  create(path: string, object: KubeObject, signal?: AbortSignal): Promise<KubeObject> {
    const body = JSON.stringify(object);
    return this.#ask('POST', path, { body: { size: Buffer.byteLength(body), pieces: () => [body] }, signal });
  }

  /** As `create`, of an answer of which nothing but its code is looked at. @throws StatusError, Error as `get` */
  async post(path: string, body: BodyPieces, signal?: AbortSignal): Promise<void> {
    await this.#exchange('POST', path, { body, signal });
  }

  close(): void {
    this.#agent.destroy();
  }

  async #ask(method: string, path: string, options: Asked): Promise<KubeObject> {
    return parseJSON((await this.#exchange(method, path, options)).toString('utf8')) as KubeObject;
  }

  #exchange(method: string, path: string, { body, signal }: Asked): Promise<Buffer> {
    const { token, tokenFile } = this.#credentials;
    const bearer = tokenFile === undefined ? token : readFileSync(tokenFile, 'utf8').trim();
    // Of the whole answer, as in Go: one that comes letter by letter is none.
    const deadline = AbortSignal.timeout(this.#timeoutMs);
    return new Promise((done, rejected) => {
      const failed = (error: Error): void => {
        rejected(deadline.aborted ? new ClientTimeout(`${this.#server.host} does not answer`) : error);
      };
      const request: ClientRequest = (isPlain(this.#server) ? http : nodeHTTPS()).request(
        new URL(path, this.#server),
        {
          method,
          agent: this.#agent,
          signal: signal === undefined ? deadline : AbortSignal.any([signal, deadline]),
          headers: {
            accept: 'application/json',
            ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
            ...(body === undefined ? {} : { 'content-type': 'application/json', 'content-length': body.size }),
          },
        },
        (response) => {
          read(response, this.#turns).then(done, failed);
        },
      );
      request.once('error', failed);
      boundInformation(request, MOST_INFORMATION_OF_PEERS);
      if (body === undefined) request.end();
      else void sendPieces(request, body.pieces());
    });
  }
}

/** As in client-go, for any host: what is said, and by whom, goes unencrypted. */
function isPlain(server: URL): boolean {
  return server.protocol === 'http:';
}

function plainAgent(dial: Dial | undefined): InstanceType<typeof http.Agent> {
  if (dial !== undefined) throw new TypeError('a server without TLS cannot be asked through an egress');
  return new http.Agent({ keepAlive: true });
}

function tlsAgent({ ca, cert, key, insecure }: Credentials, dial: Dial | undefined): HTTPSAgent {
  const agent = new (nodeHTTPS().Agent)({
    keepAlive: true,
    rejectUnauthorized: !insecure,
    ...trustBundle(ca),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
  });
  return agentThrough(agent, dial);
}

/** As fast as they are taken; a request that has failed says so itself. */
async function sendPieces(request: ClientRequest, pieces: Iterable<string | Uint8Array>): Promise<void> {
  for (const piece of pieces) {
    if (request.destroyed) return;
    // oxlint-disable-next-line no-await-in-loop -- one behind the other
    if (!request.write(piece)) await drained(request);
  }
  request.end();
}

function drained(request: ClientRequest): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      request.off('drain', done).off('close', done);
      resolve();
    };
    request.on('drain', done).on('close', done);
  });
}

/** @throws StatusError for an answer of another kind; TypeError for one that is too large */
async function read(response: IncomingMessage, turns: Turns): Promise<Buffer> {
  const body = await readAtMost(
    new GatheredBody(response, turns),
    limits.webhookAnswer.value,
    () => new TypeError('http: response body too large'),
  );
  const { headers, statusCode: status = 500 } = response;
  if (status >= 300) throw restClientError({ status, contentType: headers['content-type'], body });
  return body;
}

interface Kubeconfig {
  readonly 'current-context'?: string;
  readonly contexts?: readonly {
    readonly name: string;
    readonly context: { readonly cluster: string; readonly user: string };
  }[];
  readonly clusters?: readonly { readonly name: string; readonly cluster: Readonly<Record<string, unknown>> }[];
  readonly users?: readonly { readonly name: string; readonly user: Readonly<Record<string, unknown>> }[];
}

function fromConfig(
  config: Kubeconfig,
  folder: string,
  make: (server: URL, credentials: Credentials) => KubeClient,
): KubeClient {
  const name = config['current-context'] ?? '';
  const context = config.contexts?.find((candidate) => candidate.name === name)?.context;
  if (context === undefined) throw new TypeError(`has no context ${JSON.stringify(name)}`);
  const cluster = config.clusters?.find((candidate) => candidate.name === context.cluster)?.cluster ?? {};
  const user = config.users?.find((candidate) => candidate.name === context.user)?.user ?? {};
  for (const unsupported of ['exec', 'auth-provider', 'username'])
    if (user[unsupported] !== undefined)
      throw new TypeError(`user ${JSON.stringify(context.user)}: ${unsupported} is not supported here`);
  const material = (from: Readonly<Record<string, unknown>>, field: string): Buffer | undefined => {
    const data = from[`${field}-data`];
    if (typeof data === 'string') return Buffer.from(data, 'base64');
    const file = from[field];
    return typeof file === 'string' && file !== '' ? readFileSync(resolve(folder, file)) : undefined;
  };
  const ca = material(cluster, 'certificate-authority');
  if (ca !== undefined) new X509Certificate(ca);
  const cert = material(user, 'client-certificate');
  const key = material(user, 'client-key');
  return make(new URL(String(cluster['server'])), {
    insecure: cluster['insecure-skip-tls-verify'] === true,
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
    ...(typeof user['tokenFile'] === 'string' ? { tokenFile: resolve(folder, user['tokenFile']) } : {}),
    ...(typeof user['token'] === 'string' ? { token: user['token'] } : {}),
  });
}
