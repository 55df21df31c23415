import { CoreV1Api, KubeConfig } from '@kubernetes/client-node';
import { startRealEtcd } from '@kubechain/shared-storage/testing';
import type { EtcdProcess } from '@kubechain/shared-storage/testing';
import { expect } from 'chai';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestEnvironment, type TestEnvironment } from 'kubechain/testing';
import { goTool } from '../harness/go-tools.ts';

const namespace = 'default';
const at = { namespace, name: 'travels' };

function coreOf({ kubeConfig }: TestEnvironment): CoreV1Api {
  const config = new KubeConfig();
  config.loadFromOptions(kubeConfig);
  return config.makeApiClient(CoreV1Api);
}

/** A file that was written from the embedded store is what a chain over a real etcd begins with. */
for (const topology of ['all-in-one', 'processes'] as const)
  describe(`snapshots over a real etcd: ${topology}`, function () {
    this.timeout(120_000);
    let folder: string;
    let etcd: EtcdProcess;
    let env: TestEnvironment;
    let core: CoreV1Api;

    before(async function start() {
      this.timeout(900_000);
      folder = mkdtempSync(join(tmpdir(), 'kubechain-snapshot-'));
      const file = join(folder, 'state.jsonl');
      await using embedded = await startTestEnvironment({ control: true });
      const there = coreOf(embedded);
      await there.createNamespacedConfigMap({ namespace, body: { metadata: { name: at.name }, data: { a: '1' } } });
      const involvedObject = { kind: 'ConfigMap', ...at };
      await there.createNamespacedEvent({ namespace, body: { metadata: { name: at.name }, involvedObject } });
      await embedded.snapshots.save('all');
      await embedded.snapshots.writeFile('all', file);
      etcd = await startRealEtcd(await goTool('etcd'));
      env = await startTestEnvironment({ topology, control: true, etcdServers: etcd.endpoint, fromSnapshot: file });
      core = coreOf(env);
    });
    after(async () => {
      await env?.stop();
      await etcd?.stop();
      rmSync(folder, { recursive: true, force: true });
    });

    it('are there from the start, leases included', async () => {
      expect((await core.readNamespacedConfigMap(at)).data).to.deep.equal({ a: '1' });
      expect((await core.readNamespacedEvent(at)).metadata.name).to.equal(at.name);
    });

    it('are put back, at revisions that go on growing', async () => {
      await env.snapshots.save('now');
      const before = (await core.readNamespacedConfigMap(at)).metadata?.resourceVersion;
      await core.deleteNamespacedConfigMap(at);
      await env.snapshots.restore('now');
      const { data, metadata } = await core.readNamespacedConfigMap(at);
      expect(data).to.deep.equal({ a: '1' });
      expect(Number(metadata?.resourceVersion)).to.be.greaterThan(Number(before));
    });
  });
