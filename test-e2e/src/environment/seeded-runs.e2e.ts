import {
  ApiextensionsV1Api,
  CoreV1Api,
  CustomObjectsApi,
  KubeConfig,
  RbacAuthorizationV1Api,
} from '@kubernetes/client-node';
import { expect } from 'chai';
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestEnvironment, type JournalEntry, type TestEnvironment } from 'kubechain/testing';

const namespace = 'default';
const body = (name: string): { metadata: { name: string } } => ({ metadata: { name } });

/** What tests do to a server: each kind of thing that is left to chance, and conflicts, refusals and deletions. */
async function script(env: TestEnvironment): Promise<void> {
  const config = new KubeConfig();
  config.loadFromOptions(env.kubeConfig);
  const core = config.makeApiClient(CoreV1Api);
  const refused = (call: Promise<unknown>): Promise<unknown> => call.catch(() => undefined);
  await core.createNamespace({ body: body('team') });
  for (let i = 0; i < 5; i++) {
    const generated = { metadata: { generateName: i % 2 === 0 ? 'even-' : 'odd-' }, data: { i: String(i) } };
    await core.createNamespacedConfigMap({ namespace, body: generated });
  }
  for (let i = 0; i < 2; i++) {
    await core.createNamespacedSecret({ namespace, body: { ...body('again'), stringData: { of: String(i) } } });
    await core.deleteNamespacedSecret({ namespace, name: 'again' });
  }
  await core.createNamespacedSecret({ namespace, body: body('again') });
  await refused(core.createNamespacedSecret({ namespace, body: body('again') }));
  for (const name of ['web', 'api', 'db'])
    await core.createNamespacedService({
      namespace: 'team',
      body: { ...body(name), spec: { type: 'NodePort', ports: [{ port: 80 }] } },
    });
  for (const name of ['x', 'y', 'z'])
    await core.createNamespacedPod({
      namespace: 'team',
      body: { ...body(name), spec: { containers: [{ name, image: name }] } },
    });
  await env.install(`
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: boats.sea.example.com }
spec:
  group: sea.example.com
  scope: Namespaced
  names: { plural: boats, kind: Boat }
  versions:
    - name: v1
      served: true
      storage: true
      schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } }
`);
  const boats = config.makeApiClient(CustomObjectsApi);
  const kind = { group: 'sea.example.com', version: 'v1', plural: 'boats' };
  await boats.createNamespacedCustomObject({
    ...kind,
    namespace,
    body: { apiVersion: 'sea.example.com/v1', kind: 'Boat', metadata: { generateName: 'boat-' } },
  });
  const alice = new KubeConfig();
  alice.loadFromOptions((await env.addUser('alice')).kubeConfig);
  await refused(alice.makeApiClient(CoreV1Api).listNamespacedPod({ namespace }));
  await env.clock.advance('1h');
  await core.createNamespacedConfigMap({ namespace, body: body('later') });
  await core.replaceNamespacedConfigMap({ name: 'later', namespace, body: { ...body('later'), data: { a: 'b' } } });
  await core
    .createNamespacedServiceAccountToken({ name: 'robot', namespace, body: { spec: { audiences: [] } } })
    .catch(() => undefined);
  await config
    .makeApiClient(RbacAuthorizationV1Api)
    .createNamespacedRole({ namespace, body: { ...body('r'), rules: [] } });
  await core.listNamespacedPod({ namespace: 'team' });
  await config.makeApiClient(ApiextensionsV1Api).listCustomResourceDefinition();
  await config.makeApiClient(RbacAuthorizationV1Api).listClusterRole();
  await core.listConfigMapForAllNamespaces();
}

interface Outcome {
  /** Every key with its value, and the store's revision. */
  readonly store: readonly string[];
  /** With all bodies: the resourceVersions of everything are in them. */
  readonly journal: readonly JournalEntry[];
  readonly now: string;
}

async function outcomeOf(env: TestEnvironment): Promise<Outcome> {
  await env.journal.recordBodies({ secrets: true });
  await script(env);
  const journal = await env.journal.find({ bodies: true });
  await env.snapshots.save('end');
  const text = await env.snapshots.text('end');
  return { store: text.split('\n'), journal, now: (await env.clock.state()).now };
}

for (const topology of ['all-in-one', 'processes'] as const)
  describe(`runs with a seed: ${topology}`, function () {
    this.timeout(300_000);
    const folder = mkdtempSync(join(tmpdir(), 'seeded-'));
    after(() => {
      rmSync(folder, { recursive: true, force: true });
    });

    /** Certificates are the same, since they are in config maps; everything else is made anew. */
    const run = async (seed: number, name: string): Promise<Outcome> => {
      const dataDir = join(folder, name);
      const first = join(folder, 'pki');
      if (existsSync(first)) cpSync(first, join(dataDir, 'pki'), { recursive: true });
      await using env = await startTestEnvironment({ topology, seed, dataDir });
      if (!existsSync(first)) cpSync(join(dataDir, 'pki'), first, { recursive: true });
      return await outcomeOf(env);
    };

    it('give the same store and the same journal, byte for byte, and others with another seed', async () => {
      const one = await run(7, 'one');
      const two = await run(7, 'two');
      expect(two.now).to.equal('2025-01-01T01:00:00.000000Z');
      expect(two.store).to.deep.equal(one.store);
      expect(two.journal).to.deep.equal(one.journal);
      expect(JSON.stringify(two)).to.equal(JSON.stringify(one));
      expect(one.store.length).to.be.greaterThan(100);
      expect(one.journal.filter(({ code, user }) => code === 403 && user === 'alice')).to.have.lengthOf(1);
      expect(one.journal.length).to.be.greaterThan(20);
      const other = await run(8, 'other');
      expect(other.store).to.not.deep.equal(one.store);
    });
  });
