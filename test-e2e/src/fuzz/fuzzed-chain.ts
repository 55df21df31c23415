import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect as connectHTTP2, type ClientHttp2Session } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTLS } from 'node:tls';
import { startChain, type Chain } from '../harness/chain.ts';
import { Client } from '../harness/client.ts';
import { pidOf } from '../harness/process-of.ts';
import { mostValuesHere } from '@kubechain/apiserver/resources';
import { FuzzFailure } from './fuzz-target.ts';

/** Bearer token of an ordinary user, who may read and create ConfigMaps in the namespace `own`. */
export const token = 'the-ordinary-user';
/** What nobody but the administrator may read. */
const secret = 'only-for-administrators';
const secretTexts = [secret, Buffer.from(secret).toString('base64')];
const processes = ['etcd', 'aggregator', 'kube-apiserver', 'apiextensions'] as const;
/** A machine may be busy; what hangs takes longer. */
const patienceMs = 10_000;

/** The reference answers these with 500, too: paths that end at `watch`, and a version that is no number of 64 bits. */
const ownErrors = [
  /(?:HTTP\/1\.1 500 [^\r]*\r\n(?:[^\r]+\r\n)*\r\n)?Internal Server Error: "[^"]*": failed to create RequestInfo/g,
  /(?:HTTP\/1\.1 500 [^\r]*\r\n(?:[^\r]+\r\n)*\r\n)?\{[^{}]*(?:\{\}[^{}]*)?"message": ?"resourceVersion: Invalid value[^}]*\}/g,
];

/** More values than the thread that serves everybody works on: what is made of it is the side server's. */
const many = Object.fromEntries(Array.from({ length: mostValuesHere + 1 }, (_, i) => [`k${i}`, '']));
/** A 500 without a body, before the next answer or the end. */
const silentErrors = /HTTP\/1\.1 500 [^\r]*\r\n(?:[^\r]+\r\n)*\r\n(?=HTTP\/1\.1|$)/g;
const role = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'own' };
const objects = [
  ['/api/v1/namespaces', { metadata: { name: 'own' } }],
  ['/api/v1/namespaces', { metadata: { name: 'hidden' } }],
  ['/api/v1/namespaces', { metadata: { name: 'large' } }],
  ['/api/v1/namespaces/large/configmaps', { metadata: { name: 'many' }, data: many }],
  ['/api/v1/namespaces/own/configmaps', { metadata: { name: 'kept' }, data: { a: 'b' } }],
  ['/api/v1/namespaces/hidden/configmaps', { metadata: { name: 'kept' }, data: { a: secret } }],
  ['/api/v1/namespaces/hidden/secrets', { metadata: { name: 'kept' }, stringData: { a: secret } }],
  ...rightsIn('own', ['get', 'list', 'watch', 'create']),
  // Whatever is sent to it is worked on with the object, and changes nothing.
  ...rightsIn('large', ['get', 'patch', 'update']),
] as const;

/** What `eve` may do with ConfigMaps of a namespace. */
function rightsIn(namespace: string, verbs: readonly string[]): (readonly [string, object])[] {
  const path = `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}`;
  return [
    [`${path}/roles`, { metadata: { name: 'own' }, rules: [{ apiGroups: [''], resources: ['configmaps'], verbs }] }],
    [
      `${path}/rolebindings`,
      {
        metadata: { name: 'own' },
        roleRef: role,
        subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'eve' }],
      },
    ],
  ];
}

/** The same requests, those for a head as ones for all of it. What was no watch for HEAD may be one: it ends soon. */
function gotten(sent: string): string {
  return sent.replaceAll(/HEAD ([^\s?]*)\??/g, 'GET $1?timeoutSeconds=1&');
}

/** What came back on a connection. */
export interface Received {
  readonly bytes: Buffer;
  /** Whether the server ended the connection. */
  readonly ended: boolean;
}

/** A chain that is fed with anything, and what must hold all the time. */
export class FuzzedChain {
  readonly #chain: Chain;
  readonly #folder: string;
  readonly #admin: Client;
  readonly #pids: readonly number[];
  #bystander: ClientHttp2Session | undefined = undefined;

  private constructor(chain: Chain, folder: string, admin: Client) {
    this.#chain = chain;
    this.#folder = folder;
    this.#admin = admin;
    this.#pids = this.#running();
  }

  /** Whoever starts it closes it. */
  static async start(): Promise<FuzzedChain> {
    const folder = mkdtempSync(join(tmpdir(), 'kubechain-fuzz-'));
    const tokens = join(folder, 'tokens.csv');
    writeFileSync(tokens, `${token},eve,eve\n`, { mode: 0o600 });
    const chain = await startChain({ flags: [`--token-auth-file=${tokens}`] });
    const admin = Client.fromKubeconfig(chain.kubeconfig);
    for (const [path, body] of objects) {
      const { status, text } = await admin.post(path, body);
      if (status !== 201) throw new Error(`POST ${path}: ${text}`);
    }
    return new FuzzedChain(chain, folder, admin);
  }

  /**
   * Writes bytes to a connection of its own and reads until it ends, `isWhole` says that all is there, or nothing has
   * come for `quietMs`.
   */
  send(
    bytes: Uint8Array,
    options: {
      readonly protocol: 'h2' | 'http/1.1';
      readonly quietMs: number;
      readonly isWhole?: (received: Buffer) => boolean;
    },
  ): Promise<Received> {
    return new Promise((resolve) => {
      const socket = connectTLS({
        host: '127.0.0.1',
        port: this.#chain.port,
        rejectUnauthorized: false,
        ALPNProtocols: [options.protocol],
      });
      const chunks: Buffer[] = [];
      const finish = (ended: boolean): void => {
        clearTimeout(timer);
        socket.destroy();
        resolve({ bytes: Buffer.concat(chunks), ended });
      };
      let timer = setTimeout(finish, patienceMs, false);
      socket.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        clearTimeout(timer);
        if (options.isWhole?.(chunks.length === 1 ? chunk : Buffer.concat(chunks)) === true) finish(false);
        else timer = setTimeout(finish, options.quietMs, false);
      });
      socket.on('error', () => undefined);
      socket.on('close', () => {
        finish(true);
      });
      socket.once('secureConnect', () => {
        clearTimeout(timer);
        timer = setTimeout(finish, options.quietMs, false);
        socket.write(bytes);
      });
    });
  }

  /**
   * Fails for what no answer may have: an internal error that is not the reference's own, or what its asker may not
   * read.
   */
  judge(received: Buffer): void {
    this.#judgeText(received.toString('latin1'));
  }

  /**
   * The same for answers of HTTP/1.1 to `sent`. Those to HEAD have no text that tells whose error a 500 is: it is the
   * reference's own where GET is answered by so many of those.
   */
  async judgeAnswers(received: Buffer, sent: Buffer): Promise<void> {
    const text = received.toString('latin1');
    const silent = text.match(silentErrors)?.length ?? 0;
    if (silent > 0 && sent.includes('HEAD ')) {
      const asked = Buffer.from(gotten(sent.toString('latin1')), 'latin1');
      const { bytes } = await this.send(asked, { protocol: 'http/1.1', quietMs: patienceMs });
      const told = bytes.toString('latin1');
      this.#judgeText(told);
      const own = ownErrors.reduce((found, error) => found + (told.match(error)?.length ?? 0), 0);
      if (silent <= own) {
        this.#judgeText(text.replaceAll(silentErrors, ''));
        return;
      }
    }
    this.#judgeText(text);
  }

  #judgeText(text: string): void {
    const others = ownErrors.reduce((rest, error) => rest.replaceAll(error, ''), text);
    // 501 is Go's answer to a coding of a body that it does not know, 505 to another version of HTTP.
    const internal = /HTTP\/1\.1 50[02-46-9][^\r]*|"code":50[0-9]|"reason":"InternalError"/.exec(others)?.[0];
    if (internal !== undefined) throw new FuzzFailure(`answers ${internal}: ${text.slice(0, 2_000)}`);
    if (secretTexts.some((one) => text.includes(one)))
      throw new FuzzFailure(`shows what is not its asker's: ${text.slice(0, 2_000)}`);
  }

  /** Fails when somebody else is not answered any more, or a process is not the one that it was. */
  async expectWell(): Promise<void> {
    const since = performance.now();
    const status = await this.#ask('/api/v1/namespaces/own/configmaps/kept');
    if (/ ended by | ended with |restarting in/.test(this.#chain.output()))
      throw new FuzzFailure(`a process ended: ${this.#chain.output()}`);
    if (status !== 200) throw new FuzzFailure(`somebody else gets ${status} after ${performance.now() - since} ms`);
    if (this.#running().join() !== this.#pids.join()) throw new FuzzFailure(`a process ended: ${this.#chain.output()}`);
  }

  /** Fails when somebody has written where only the administrator may. */
  async expectUnchanged(): Promise<void> {
    for (const [path, names] of [
      ['/api/v1/namespaces/hidden/configmaps', 'kube-root-ca.crt,kept'],
      ['/api/v1/namespaces/hidden/secrets', 'kept'],
      ['/apis/rbac.authorization.k8s.io/v1/namespaces/own/roles', 'own'],
    ] as const) {
      const { body, headers, status, text } = await this.#admin.get(path);
      if (status !== 200) throw new FuzzFailure(`the administrator gets ${status} of ${path}: ${text}`);
      if (!Array.isArray(body?.items))
        throw new FuzzFailure(`the administrator gets no list of ${path}: ${JSON.stringify(headers)} ${text}`);
      const found = (body.items as { metadata: { name: string } }[]).map(({ metadata }) => metadata.name);
      const unknown = found.filter((name) => !names.split(',').includes(name));
      if (unknown.length > 0) throw new FuzzFailure(`${path} has ${unknown.join()}`);
    }
  }

  async close(): Promise<void> {
    this.#bystander?.destroy();
    try {
      await this.expectUnchanged();
    } finally {
      this.#admin.close();
      await this.#chain.stop();
      rmSync(this.#folder, { recursive: true, force: true });
    }
  }

  #running(): readonly number[] {
    return processes.map((name) => pidOf(this.#chain.dataDir, name));
  }

  #ask(path: string): Promise<number> {
    if (this.#bystander === undefined || this.#bystander.destroyed || this.#bystander.closed)
      this.#bystander = connectHTTP2(this.#chain.url, { rejectUnauthorized: false }).on('error', () => undefined);
    const session = this.#bystander;
    return new Promise((resolve) => {
      let status = 0;
      const timer = setTimeout(resolve, patienceMs, 0);
      const stream = session.request({ ':path': path, authorization: `Bearer ${token}` });
      stream.on('response', (answer) => (status = answer[':status'] ?? 0));
      stream.on('error', () => undefined).resume();
      stream.on('close', () => {
        clearTimeout(timer);
        resolve(status);
      });
    });
  }
}
