import { expect } from 'chai';
import { join } from 'node:path';
import { writeFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { startChain, type Chain } from './harness/chain.ts';
import { Client, type Answer } from './harness/client.ts';
import { pidOf } from './harness/process-of.ts';

const servedBy = (answer: Answer): unknown => answer.headers['x-kubechain-served-by'];

const widgets = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec: { type: 'object', properties: { size: { type: 'integer' } } } },
          },
        },
      },
    ],
  },
};
const paths = {
  aggregator: '/apis/apiregistration.k8s.io/v1/apiservices',
  'kube-apiserver': '/api/v1/namespaces/default/configmaps',
  apiextensions: '/apis/example.com/v1/namespaces/default/widgets',
} as const;

describe('the chain', () => {
  let chain: Chain;
  let admin: Client;
  let folder: string;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'kubechain-tokens-'));
    writeFileSync(join(folder, 'tokens.csv'), 'alicetoken,alice,alice-uid,"devs"\n');
    chain = await startChain({
      flags: ['-v', '3', '--debug-served-by-header', '--token-auth-file', join(folder, 'tokens.csv')],
    });
    admin = Client.fromKubeconfig(chain.kubeconfig);
    const created = await admin.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', widgets);
    expect(created.status, created.text).to.equal(201);
    await admin.until('/apis/example.com/v1/namespaces/default/widgets', (answer) => answer.status === 200);
  });
  after(async () => {
    admin?.close();
    await chain?.stop();
    rmSync(folder, { recursive: true });
  });

  describe('answers from the process that a path belongs to', () => {
    const rows: readonly (readonly [what: string, path: string, process: string, status: number])[] = [
      ['an APIService', '/apis/apiregistration.k8s.io/v1/apiservices/v1.apps', 'aggregator', 200],
      ['the groups', '/apis', 'aggregator', 200],
      ['a built-in resource of the core group', '/api/v1/namespaces/kube-system', 'kube-apiserver', 200],
      ['a built-in resource of a named group', '/apis/apps/v1/deployments', 'kube-apiserver', 200],
      [
        'a CustomResourceDefinition',
        '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.example.com',
        'apiextensions',
        200,
      ],
      ['a custom resource', paths.apiextensions, 'apiextensions', 200],
      ['a group that nobody serves', '/apis/nobody.example.com/v1/things', 'apiextensions', 404],
      ['an unknown path', '/nowhere/at/all', 'apiextensions', 404],
    ];
    for (const [what, path, process, status] of rows) {
      it(`${what}: ${process}`, async () => {
        const answer = await admin.get(path);
        expect([answer.status, servedBy(answer)]).to.deep.equal([status, process]);
      });
    }
  });

  describe('identity', () => {
    const alice = { kind: 'token', token: 'alicetoken' } as const;
    const whoami = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };

    it('shows a pod and its status as a Table, and neither its size nor its ephemeral containers', async () => {
      const accept = 'application/json;as=Table;g=meta.k8s.io;v=v1';
      const pod = '/api/v1/namespaces/default/pods/missing';
      const shown = async (path: string): Promise<number> =>
        (await admin.call('GET', path, { headers: { accept } })).status;
      for (const path of [pod, `${pod}/status`]) expect(await shown(path), path).to.equal(404);
      for (const path of [`${pod}/resize`, `${pod}/ephemeralcontainers`]) expect(await shown(path), path).to.equal(406);
    });

    it('has the columns in every event of APIServices as Tables, and in the first one of others', async () => {
      const accept = 'application/json;as=Table;g=meta.k8s.io;v=v1';
      const headed = async (path: string): Promise<Set<boolean>> => {
        const { text } = await admin.call('GET', `${path}?watch=1&timeoutSeconds=1`, { headers: { accept } });
        const [, ...events] = text.trim().split('\n');
        expect(events.length, path).to.be.greaterThan(1);
        return new Set(events.map((event) => event.includes('"columnDefinitions":[')));
      };
      expect(await headed('/apis/apiregistration.k8s.io/v1/apiservices')).to.deep.equal(new Set([true]));
      expect(await headed('/apis/rbac.authorization.k8s.io/v1/clusterroles')).to.deep.equal(new Set([false]));
    });

    it('has an aggregated form of /apis, and none with a slash behind', async () => {
      const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json';
      const kindAt = async (path: string): Promise<unknown> =>
        (await admin.call('GET', path, { headers: { accept } })).body['kind'];
      expect(await kindAt('/apis')).to.equal('APIGroupDiscoveryList');
      expect(await kindAt('/apis/')).to.equal('APIGroupList');
    });

    it('crosses the hop', async () => {
      const answer = await admin.post('/apis/authentication.k8s.io/v1/selfsubjectreviews', whoami, { as: alice });
      expect(servedBy(answer)).to.equal('kube-apiserver');
      expect(answer.body.status.userInfo).to.deep.include({
        username: 'alice',
        uid: 'alice-uid',
        groups: ['devs', 'system:authenticated'],
      });
    });

    it('cannot be forged with front-proxy headers', async () => {
      const headers = {
        'X-Remote-User': 'root',
        'X-Remote-Group': 'system:masters',
        'X-Remote-Uid': '0',
        'X-Remote-Extra-Scopes': 'all',
      };
      const answer = await admin.post('/apis/authentication.k8s.io/v1/selfsubjectreviews', whoami, {
        as: alice,
        headers,
      });
      expect(answer.body.status.userInfo).to.deep.include({
        username: 'alice',
        groups: ['devs', 'system:authenticated'],
      });
      for (const path of Object.values(paths))
        expect((await admin.get(path, { as: alice, headers })).status, path).to.equal(403);
    });

    it('cannot be made up by anonymous callers', async () => {
      const headers = { 'X-Remote-User': 'system:admin', 'X-Remote-Group': 'system:masters' };
      for (const path of Object.values(paths))
        expect((await admin.get(path, { as: { kind: 'anonymous' }, headers })).status, path).to.be.oneOf([401, 403]);
    });

    it('rights are checked by the first process for all of them', async () => {
      const answer = await admin.get(paths.apiextensions, { as: alice });
      expect([answer.status, answer.body.message, servedBy(answer)]).to.deep.equal([
        403,
        'widgets.example.com is forbidden: User "alice" cannot list resource "widgets" in API group ' +
          '"example.com" in the namespace "default"',
        'aggregator',
      ]);
    });
  });

  describe('one request', () => {
    const object = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'measured' } };
    const phases = (answer: Answer): string[] =>
      String(answer.headers['server-timing'])
        .split(', ')
        .map((entry) => {
          expect(entry).to.match(/^[a-z-]+\.[a-z]+;dur=\d+\.\d{3}$/);
          return entry.split(';')[0] ?? '';
        });

    it('tells where its time went, in every process and phase', async () => {
      const answer = await admin.post(paths.apiextensions, object, { headers: { 'X-Kubechain-Server-Timing': '1' } });
      expect(answer.status, answer.text).to.equal(201);
      expect(phases(answer)).to.deep.equal([
        'apiextensions.filters',
        'apiextensions.admission',
        'apiextensions.storage',
        'apiextensions.total',
        'kube-apiserver.filters',
        'kube-apiserver.hop',
        'kube-apiserver.total',
        'aggregator.filters',
        'aggregator.hop',
        'aggregator.total',
      ]);
    });

    it('tells so only to those who ask and may know', async () => {
      expect((await admin.get(paths['kube-apiserver'])).headers['server-timing']).to.equal(undefined);
      expect(
        (
          await admin.get('/version', {
            as: { kind: 'token', token: 'alicetoken' },
            headers: { 'X-Kubechain-Server-Timing': '1' },
          })
        ).headers['server-timing'],
      ).to.equal(undefined);
    });

    it('is found in the logs of all processes by its audit id', async () => {
      const { readFileSync } = await import('node:fs');
      const auditID = 'find-me-again';
      const answer = await admin.get(`${paths.apiextensions}/measured`, { headers: { 'Audit-Id': auditID } });
      expect(answer.headers['audit-id']).to.equal(auditID);
      for (const process of ['aggregator', 'kube-apiserver', 'apiextensions']) {
        const file = join(chain.dataDir, 'logs', `${process}.log`);
        for (const until = Date.now() + 60_000; !readFileSync(file, 'utf8').includes(auditID) && Date.now() < until;)
          await new Promise((resolve) => setTimeout(resolve, 20));
        const lines = readFileSync(file, 'utf8')
          .split('\n')
          .filter((line) => line.includes(auditID));
        expect(lines, process).to.have.length(1);
        expect(lines[0]).to.contain('verb="get"').and.contain(`URI="${paths.apiextensions}/measured"`);
      }
    });
  });

  describe('with one process killed', () => {
    for (const [process, others] of [
      ['apiextensions', ['aggregator', 'kube-apiserver']],
      ['kube-apiserver', ['aggregator']],
    ] as const) {
      it(`${process}: 503 in bounded time for its own paths, the others go on, and it comes back`, async () => {
        const statuses = new Set<number>();
        let dead: Answer | undefined;
        let before: number | undefined;
        const running = (): number | undefined => {
          try {
            return pidOf(chain.dataDir, process);
          } catch {
            return undefined;
          }
        };
        // It may be back before anybody has noticed: then it is killed again.
        for (const deadline = Date.now() + 60_000; Date.now() < deadline;) {
          const pid = running();
          if (dead === undefined && pid !== undefined && pid !== before)
            globalThis.process.kill((before = pid), 'SIGKILL');
          const answer = await admin.get(paths[process], { timeoutMs: 20_000 });
          statuses.add(answer.status);
          if (answer.status === 503) dead ??= answer;
          if (dead === undefined || answer.status === 503)
            for (const other of others)
              expect((await admin.get(paths[other])).status, `${other} while ${process} is down`).to.equal(200);
          if (dead !== undefined && answer.status === 200) break;
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
        expect(
          [...statuses].every((status) => status === 200 || status === 503),
          [...statuses].join(),
        ).to.equal(true);
        expect(dead, 'an answer while the process was down').to.not.equal(undefined);
        expect(dead?.headers['retry-after']).to.match(/^\d+$/);
        expect(dead?.body).to.deep.include({
          kind: 'Status',
          apiVersion: 'v1',
          status: 'Failure',
          reason: 'ServiceUnavailable',
          code: 503,
        });
        expect((await admin.until(paths[process], (answer) => answer.status === 200)).status).to.equal(200);
        expect(pidOf(chain.dataDir, process)).to.not.equal(before);
      }).timeout(120_000);
    }

    it('the delegate sockets are closed to others', async () => {
      const { statSync, readdirSync } = await import('node:fs');
      const run = join(chain.dataDir, 'run');
      const sockets = readdirSync(run).filter((file) => file.endsWith('.sock') && !file.endsWith('.lock.sock'));
      expect(sockets.length).to.be.greaterThanOrEqual(2);
      for (const socket of sockets) expect(statSync(join(run, socket)).mode & 0o777, socket).to.equal(0o600);
    });
  });

  describe('each process alone', () => {
    // One data directory for all: what one wrote the next one reads, so they share storage and certificates.
    let dataDir: string;
    before(() => {
      dataDir = mkdtempSync(join(tmpdir(), 'kubechain-alone-'));
    });
    after(() => rmSync(dataDir, { recursive: true, force: true }));
    const rows = [
      [
        'kube-apiserver',
        '/api/v1/namespaces/default/configmaps',
        { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'alone' }, data: { a: 'b' } },
      ],
      ['apiextensions', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', widgets],
      [
        'aggregator',
        '/apis/apiregistration.k8s.io/v1/apiservices',
        {
          apiVersion: 'apiregistration.k8s.io/v1',
          kind: 'APIService',
          metadata: { name: 'v1.alone.example.com' },
          spec: {
            group: 'alone.example.com',
            version: 'v1',
            groupPriorityMinimum: 1000,
            versionPriority: 15,
            service: { name: 'x', namespace: 'default' },
            insecureSkipTLSVerify: true,
          },
        },
      ],
    ] as const;
    for (const [process, collection, object] of rows) {
      it(`${process} serves and keeps its own resources`, async () => {
        const alone = await startChain({ dataDir, flags: ['--only', process] });
        const client = Client.fromKubeconfig(alone.kubeconfig);
        try {
          const created = await client.post(collection, object);
          expect(created.status, created.text).to.equal(201);
          const read = await client.get(`${collection}/${object.metadata.name}`);
          expect(read.body.metadata).to.deep.include({ name: object.metadata.name, uid: created.body.metadata.uid });
          // The last link answers 404 itself; the others say that the next one is not there.
          expect((await client.get('/apis/other.example.com/v1/things')).status).to.equal(
            process === 'apiextensions' ? 404 : 503,
          );
          expect((await client.get('/livez')).text).to.equal('ok');
          const ready = await client.get('/readyz');
          const missing = {
            apiextensions: [],
            'kube-apiserver': ['delegate/apiextensions'],
            aggregator: ['autoregister-completion', 'delegate/kube-apiserver'],
          }[process];
          if (missing.length === 0) expect(ready.text).to.equal('ok');
          else
            expect(ready.text.split('\n').filter((line) => line.startsWith('[-]'))).to.deep.equal(
              missing.map((check) => `[-]${check} failed: reason withheld`),
            );
        } finally {
          client.close();
          expect(await alone.stop()).to.equal(0);
        }
      }).timeout(60_000);
    }
  });
});

/** Only to be sure that the test client itself sends what it is told: headers reach a plain server unchanged. */
describe('the test client', () => {
  it('sends headers as given', async () => {
    const { createServer } = await import('node:http');
    const server = createServer((incoming, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(incoming.headers));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const client = new Client(`http://127.0.0.1:${(server.address() as { port: number }).port}`, {
      kind: 'token',
      token: 't',
    });
    const answer = await client.get('/', { headers: { 'X-Remote-User': 'root' } });
    expect(answer.body).to.deep.include({ 'x-remote-user': 'root', authorization: 'Bearer t' });
    client.close();
    await new Promise((resolve) => server.close(resolve));
  });
});
