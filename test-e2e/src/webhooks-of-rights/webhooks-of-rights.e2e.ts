import { expect } from 'chai';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { startChain, type Chain } from '../harness/chain.ts';
import { Client, type Identity } from '../harness/client.ts';
import { listenLocally, localhostCertificate, writeWebhookKubeconfig } from '../harness/local-https.ts';

/** A request, and what kube-apiserver 1.36 with the same webhooks answered it. */
interface Recorded {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly token: string;
  readonly answer: { readonly code: number; readonly body?: unknown };
}

const recorded = JSON.parse(readFileSync(join(import.meta.dirname, 'recorded.json'), 'utf8')) as readonly Recorded[];

interface Review {
  readonly apiVersion: string;
  readonly kind: string;
  readonly spec: {
    readonly token?: string;
    readonly resourceAttributes?: { readonly verb: string; readonly resource: string };
    readonly nonResourceAttributes?: { readonly path: string };
  };
}

/** What is said of a token; undefined is a refusal to say anything. */
const users: Readonly<Record<string, object | undefined>> = {
  good: {
    authenticated: true,
    user: { username: 'wanda', uid: '7', groups: ['hooks'], extra: { 'a.b/c': ['d'] } },
  },
  aud: { authenticated: true, user: { username: 'w2' }, audiences: ['other'] },
  err: { authenticated: false, error: 'no such token' },
  bad: { authenticated: false },
  down: undefined,
};

/** What is said of a request; undefined as above. */
function rightOf({ nonResourceAttributes, resourceAttributes }: Review['spec']): object | undefined {
  if (resourceAttributes?.verb === 'delete') return { allowed: false, denied: true, reason: 'no deletes' };
  switch (resourceAttributes?.resource) {
    case 'secrets':
      return { allowed: false, reason: 'no secrets' };
    case 'configmaps':
      return { allowed: true, reason: 'fine' };
    case 'nodes':
      return { allowed: true, denied: true };
    case 'pods':
      return undefined;
    default:
      return nonResourceAttributes?.path === '/version' ? { allowed: true, reason: 'fine' } : { allowed: false };
  }
}

const broken = {
  kind: 'Status',
  apiVersion: 'v1',
  status: 'Failure',
  message: 'broken',
  reason: 'Forbidden',
  code: 403,
};

/** Answers reviews; resolves to its certificate as well. */
async function startWebhooks(): Promise<{
  readonly server: Server;
  readonly certificate: string;
  readonly port: number;
}> {
  const credentials = localhostCertificate();
  const server = createServer(credentials, (request, response) => {
    void text(request).then((body) => {
      const { apiVersion, kind, spec } = JSON.parse(body) as Review;
      if (spec.token === 'text') {
        response.statusCode = 418;
        response.end('tea');
        return;
      }
      const status = request.url === '/authn?timeout=30s' ? users[spec.token ?? ''] : rightOf(spec);
      response.setHeader('content-type', 'application/json');
      if (status === undefined) response.statusCode = 403;
      response.end(JSON.stringify(status === undefined ? broken : { apiVersion, kind, status }));
    });
  });
  return { server, certificate: credentials.cert, port: await listenLocally(server) };
}

/** What each run has its own of; rules are those of this server's own roles. */
const varying: ReadonlySet<string> = new Set([
  'creationTimestamp',
  'resourceVersion',
  'managedFields',
  'resourceRules',
  'nonResourceRules',
]);

function comparable(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, inner: unknown) => (varying.has(key) ? undefined : inner)));
}

describe('webhooks that say who callers are and what they may do', () => {
  let chain: Chain;
  let client: Client;
  let folder: string;
  let webhooks: Server;

  before(async function () {
    this.timeout(120_000);
    folder = mkdtempSync(join(tmpdir(), 'kubechain-rights-'));
    const { certificate, port, server } = await startWebhooks();
    webhooks = server;
    const kubeconfig = (path: string): string =>
      writeWebhookKubeconfig(join(folder, `${path}.kubeconfig`), {
        certificate,
        url: `https://localhost:${port}/${path}`,
      });
    writeFileSync(join(folder, 'tokens.csv'), 'admintoken,admin,admin-uid,"system:masters"\n');
    chain = await startChain({
      flags: [
        ['--token-auth-file', join(folder, 'tokens.csv')],
        ['--authentication-token-webhook-config-file', kubeconfig('authn')],
        ['--authentication-token-webhook-version', 'v1'],
        ['--authorization-mode', 'RBAC,Webhook'],
        ['--authorization-webhook-config-file', kubeconfig('authz')],
        ['--authorization-webhook-version', 'v1'],
      ].flat(),
    });
    client = Client.fromKubeconfig(chain.kubeconfig);
  });
  after(async () => {
    await chain.stop();
    webhooks.closeAllConnections();
    webhooks.close();
    rmSync(folder, { recursive: true });
  });

  for (const [i, { answer, body, method, path, token }] of recorded.entries())
    it(`${i + 1}: ${method} ${path} as ${token}, as kube-apiserver answers it`, async () => {
      const as: Identity = { kind: 'token', token };
      const got = await client.call(method, path, {
        ...(body === undefined ? {} : { body, headers: { 'content-type': 'application/json' } }),
        as,
      });
      expect({
        code: got.status,
        ...(answer.body === undefined ? {} : { body: comparable(got.body ?? got.text) }),
      }).to.deep.equal(answer);
    });
});
