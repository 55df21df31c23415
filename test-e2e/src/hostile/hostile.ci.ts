import { expect } from 'chai';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startChain, type Chain } from '../harness/chain.ts';
import { Client } from '../harness/client.ts';
import { pidOf } from '../harness/process-of.ts';
import { apiRows } from './api-rows.ts';
import { Bystander } from './bystander.ts';
import { headerRows } from './header-rows.ts';
import { http1Rows } from './http1-rows.ts';
import { http2Rows } from './http2-rows.ts';
import { Target } from './target.ts';

const rows = [...http1Rows, ...headerRows, ...http2Rows, ...apiRows];
const processes = ['etcd', 'aggregator', 'kube-apiserver', 'apiextensions'] as const;
/** Nobody else may wait longer. */
const patienceMs = 1_000;
const token = 'the-ordinary-user';

/**
 * What the ordinary user may do: everything in a namespace, and custom resources, which are where schemas come from.
 */
const rights = [
  ['/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'hostile' } }],
  [
    '/apis/rbac.authorization.k8s.io/v1/namespaces/hostile/rolebindings',
    {
      metadata: { name: 'eve' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'admin' },
      subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'eve' }],
    },
  ],
  [
    '/apis/rbac.authorization.k8s.io/v1/clusterroles',
    {
      metadata: { name: 'eve' },
      rules: [{ apiGroups: ['apiextensions.k8s.io', 'hostile.example'], resources: ['*'], verbs: ['*'] }],
    },
  ],
  [
    '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
    {
      metadata: { name: 'eve' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'eve' },
      subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'eve' }],
    },
  ],
  ['/api/v1/namespaces/hostile/configmaps', { metadata: { name: 'kept' }, data: { a: 'b' } }],
] as const;

describe('hostile requests', function () {
  this.timeout(120_000);
  let chain: Chain;
  let folder: string;
  let bystander: Bystander;
  let pids: readonly number[];
  const targets = { user: undefined as unknown as Target, nobody: undefined as unknown as Target };

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'kubechain-hostile-'));
    const tokens = join(folder, 'tokens.csv');
    writeFileSync(tokens, `${token},eve,eve\n`, { mode: 0o600 });
    chain = await startChain({ flags: [`--token-auth-file=${tokens}`] });
    const client = Client.fromKubeconfig(chain.kubeconfig);
    for (const [path, body] of rights) expect((await client.post(path, body)).status, path).to.equal(201);
    targets.user = new Target(chain.port, token);
    targets.nobody = new Target(chain.port, '');
    bystander = new Bystander(client);
    pids = processes.map((name) => pidOf(chain.dataDir, name));
  });
  after(async () => {
    await bystander?.stop();
    await chain?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('are 80 and more', () => {
    expect(rows.length).to.be.greaterThan(80);
    expect(new Set(rows.map(({ name }) => name)).size).to.equal(rows.length);
  });

  for (const row of rows)
    it(row.name, async () => {
      let slowestMs = Infinity;
      // What only the machine was too busy for is not slow twice.
      for (let tries = 0; tries < 2 && slowestMs > patienceMs; tries++) {
        bystander.takeSlowestMs();
        const { statuses, text } = await row.fire(targets[row.as]);
        expect(
          statuses.filter((status) => status === 500 || status === 502),
          text,
        ).to.deep.equal([]);
        expect(
          statuses.filter((status) => status === 503 || status === 504),
          text,
        ).to.deep.equal([]);
        if (row.name.startsWith('HTTP/2')) {
          // Nor may it take the places of others that are not exempt from flow control.
          const next = await targets.user.http2([{ path: '/version' }]);
          expect(next.statuses, 'the user, afterwards').to.deep.equal([200]);
        }
        // A question that is waiting still is counted when it is answered.
        await new Promise((resolve) => setTimeout(resolve, 60));
        slowestMs = bystander.takeSlowestMs();
      }
      expect(bystander.problems.splice(0), chain.output()).to.deep.equal([]);
      expect(slowestMs, 'milliseconds that somebody else waited').to.be.lessThan(patienceMs);
      expect(processes.map((process) => pidOf(chain.dataDir, process))).to.deep.equal(pids);
    });

  it('give nobody rights that are not theirs', async () => {
    const asked = ['X-Remote-User', 'X-Remote-Group', 'X-Kubechain-Identity', 'Impersonate-User'].map((header) => ({
      path: '/api/v1/secrets',
      headers: { [header.toLowerCase()]: header.endsWith('Group') ? 'system:masters' : 'kubernetes-admin' },
    }));
    expect((await targets.user.http2(asked)).statuses).to.deep.equal([403, 403, 403, 403]);
  });
});
