import { expect } from 'chai';
import type { Suite } from 'mocha';
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
});

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
    /** As somebody who may do everything in a namespace. */
    const asUser = (method: string, path: string, body?: object): Promise<{ readonly status: number }> =>
      client.call(method, path, { headers: { 'impersonate-user': 'eve' }, ...(body === undefined ? {} : { body }) });

    before(async () => {
      const options = process.env['NODE_OPTIONS'];
      process.env['NODE_OPTIONS'] = `--max-old-space-size=${heapMiB}`;
      try {
        chain = await startChain({ flags });
      } finally {
        if (options === undefined) delete process.env['NODE_OPTIONS'];
        else process.env['NODE_OPTIONS'] = options;
      }
      client = Client.fromKubeconfig(chain.kubeconfig);
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
    });
    after(async () => {
      await chain?.stop();
    });

    it('takes nothing more from users, loses no process, and takes more when some was deleted', async () => {
      const configMaps = '/api/v1/namespaces/default/configmaps';
      while ((await asUser('GET', configMaps)).status !== 200) await delay(100);
      const running = pids();
      // Roles are in the memory of each server, decoded.
      const rules = Array.from({ length: 3_000 }, () => ({ verbs: ['get'], apiGroups: [''], resources: ['pods'] }));
      const roleOf = (i: number): object => ({ metadata: { name: `r${i}`, labels: { large: 'yes' } }, rules });
      let stored = 0;
      let status = 201;
      for (; status === 201 && stored < 1_000; stored++)
        ({ status } = await asUser('POST', `${rbac}/roles`, roleOf(stored)));
      expect(status).to.equal(507);
      expect(stored).to.be.greaterThan(10);
      expect((await asUser('POST', configMaps, { metadata: { name: 'refused' } })).status).to.equal(507);
      expect((await asUser('GET', configMaps)).status).to.equal(200);
      expect((await client.post(configMaps, { metadata: { name: 'of-the-administrator' } })).status).to.equal(201);
      expect((await asUser('DELETE', `${rbac}/roles?labelSelector=large%3Dyes`)).status).to.equal(200);
      const deadline = Date.now() + 150_000;
      for (status = 507; status === 507 && Date.now() < deadline; await delay(1_000))
        ({ status } = await asUser('POST', configMaps, { metadata: { name: 'taken' } }));
      expect(status).to.equal(201);
      expect(pids()).to.deep.equal(running);
    });
  };
}
