import { expect } from 'chai';
import type { Suite } from 'mocha';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startChain, type Chain } from './harness/chain.ts';
import { Client } from './harness/client.ts';
import { pidOf } from './harness/process-of.ts';

const rbac = '/apis/rbac.authorization.k8s.io/v1/namespaces/default';
const processes = ['etcd', 'aggregator', 'kube-apiserver', 'apiextensions'] as const;

/** Each with what every process may have of a heap, in MiB: little, so that it is full in a short time. */
describe('a chain whose memory is full of objects', () => {
  describe('in processes', full({ heapMiB: 160, processes }));
  describe('all in one process', full({ flags: ['--topology=all-in-one'], heapMiB: 256, processes: [] }));
  describe('that controllers follow', followed);
});

/** What no server has decoded, and the controllers all. */
function followed(this: Suite): void {
  this.timeout(600_000);
  const replicaSets = '/apis/apps/v1/namespaces/default/replicasets';
  const pods = '/api/v1/namespaces/default/pods';
  const labels = { of: 'set' };
  let chain: Chain;
  let client: Client;

  before(async () => {
    chain = await startLimited(112, ['--controllers=*']);
    client = Client.fromKubeconfig(chain.kubeconfig);
    await giveRights(client);
  });
  after(async () => {
    await chain?.stop();
  });
  const set = (name: string, replicas: number, letters = 0): object => ({
    metadata: { name, annotations: { text: 'x'.repeat(letters) } },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } },
    },
  });
  const podsThere = async (): Promise<number> =>
    ((await client.get(pods)).body as { readonly items: readonly unknown[] }).items.length;

  it('is full where their heap is, for users and for what they create for users', async () => {
    while ((await asUser(client, 'GET', pods)).status !== 200) await delay(100);
    const running = pidOf(chain.dataDir, 'controllers');
    let stored = 0;
    let status = 201;
    for (; status === 201 && stored < 500; stored++)
      ({ status } = await asUser(client, 'POST', replicaSets, set(`r${stored}`, 0, 250_000)));
    expect(status).to.equal(507);
    expect(stored).to.be.greaterThan(5);
    expect(readFileSync(join(chain.dataDir, 'logs/controllers.log'), 'utf8')).to.include('no room for more objects');
    expect((await client.post(replicaSets, set('set', 10))).status).to.equal(201);
    await delay(3_000);
    expect(await podsThere()).to.equal(0);
    // On a busy machine not all within the time of a request.
    const made = ['set', ...Array.from({ length: stored - 1 }, (_, i) => `r${i}`)];
    for (const name of made) expect((await asUser(client, 'DELETE', `${replicaSets}/${name}`)).status).to.equal(200);
    const deadline = Date.now() + 150_000;
    for (status = 507; status === 507 && Date.now() < deadline; await delay(1_000))
      ({ status } = await asUser(client, 'POST', replicaSets, set('taken', 10)));
    expect(status).to.equal(201);
    while ((await podsThere()) < 10 && Date.now() < deadline) await delay(500);
    expect(await podsThere()).to.equal(10);
    expect(pidOf(chain.dataDir, 'controllers')).to.equal(running);
  });
}

/** Starts a chain each process of which may have so much of a heap. */
async function startLimited(heapMiB: number, flags: readonly string[]): Promise<Chain> {
  const options = process.env['NODE_OPTIONS'];
  process.env['NODE_OPTIONS'] = `--max-old-space-size=${heapMiB}`;
  try {
    return await startChain({ flags });
  } finally {
    if (options === undefined) delete process.env['NODE_OPTIONS'];
    else process.env['NODE_OPTIONS'] = options;
  }
}

/** Eve may do everything in a namespace. */
async function giveRights(client: Client): Promise<void> {
  const group = 'rbac.authorization.k8s.io';
  await client.post(`${rbac}/roles`, {
    metadata: { name: 'all' },
    rules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
  });
  await client.post(`${rbac}/rolebindings`, {
    metadata: { name: 'eve' },
    roleRef: { apiGroup: group, kind: 'Role', name: 'all' },
    subjects: [{ kind: 'User', name: 'eve', apiGroup: group }],
  });
}

function asUser(client: Client, method: string, path: string, body?: object): Promise<{ readonly status: number }> {
  return client.call(method, path, { headers: { 'impersonate-user': 'eve' }, ...(body === undefined ? {} : { body }) });
}

interface FullOptions {
  readonly heapMiB: number;
  /** Those that have to live. */
  readonly processes: readonly (typeof processes)[number][];
  readonly flags?: readonly string[];
}

function full({ flags = [], heapMiB, processes: living }: FullOptions): (this: Suite) => void {
  return function () {
    this.timeout(600_000);
    let chain: Chain;
    let client: Client;
    const pids = (): readonly number[] => living.map((name) => pidOf(chain.dataDir, name));

    before(async () => {
      chain = await startLimited(heapMiB, flags);
      client = Client.fromKubeconfig(chain.kubeconfig);
      await giveRights(client);
    });
    after(async () => {
      await chain?.stop();
    });

    it('takes nothing more from users, loses no process, and takes more when some was deleted', async () => {
      const configMaps = '/api/v1/namespaces/default/configmaps';
      while ((await asUser(client, 'GET', configMaps)).status !== 200) await delay(100);
      const running = pids();
      // Roles are in the memory of each server, decoded.
      const rules = Array.from({ length: 3_000 }, () => ({ verbs: ['get'], apiGroups: [''], resources: ['pods'] }));
      const roleOf = (i: number): object => ({ metadata: { name: `r${i}`, labels: { large: 'yes' } }, rules });
      let stored = 0;
      let status = 201;
      for (; status === 201 && stored < 1_000; stored++)
        ({ status } = await asUser(client, 'POST', `${rbac}/roles`, roleOf(stored)));
      expect(status).to.equal(507);
      expect(stored).to.be.greaterThan(10);
      expect((await asUser(client, 'POST', configMaps, { metadata: { name: 'refused' } })).status).to.equal(507);
      expect((await asUser(client, 'GET', configMaps)).status).to.equal(200);
      expect((await client.post(configMaps, { metadata: { name: 'of-the-administrator' } })).status).to.equal(201);
      expect((await asUser(client, 'DELETE', `${rbac}/roles?labelSelector=large%3Dyes`)).status).to.equal(200);
      const deadline = Date.now() + 150_000;
      for (status = 507; status === 507 && Date.now() < deadline; await delay(1_000))
        ({ status } = await asUser(client, 'POST', configMaps, { metadata: { name: 'taken' } }));
      expect(status).to.equal(201);
      expect(pids()).to.deep.equal(running);
    });
  };
}
