import { startRealEtcd, type EtcdProcess } from '@kubechain/shared-storage/testing';
import { expect } from 'chai';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { shareOf } from '../ci/share.ts';
import { startChain, type Chain } from '../harness/chain.ts';
import { Client } from '../harness/client.ts';
import { execute, type Result } from '../harness/run.ts';

const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const boats = '/apis/sea.example.com/v1/namespaces/default/boats';
const boat = (name: string, oars = 2): object => ({
  apiVersion: 'sea.example.com/v1',
  kind: 'Boat',
  metadata: { name },
  spec: { oars },
});
const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'boats.sea.example.com' },
  spec: {
    group: 'sea.example.com',
    scope: 'Namespaced',
    names: { plural: 'boats', kind: 'Boat' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec: { type: 'object', properties: { oars: { type: 'integer', minimum: 1 } } } },
          },
        },
      },
    ],
  },
};
const stores = ['the embedded store', 'a real etcd'] as const;

for (const store of stores) {
  // More than a page of a list in any case.
  const count = shareOf(stores).includes(store) ? 10_000 : 2_000;
  describe(`custom resources over ${store}`, () => {
    let chain: Chain;
    let etcd: EtcdProcess | undefined;
    let client: Client;
    let cache: string;
    const kubectl = (args: readonly string[], input?: string): Promise<Result> =>
      execute('kubectl', ['--kubeconfig', chain.kubeconfig, '--cache-dir', cache, ...args], {
        timeoutMs: 660_000,
        ...(input === undefined ? {} : { input }),
      });

    before(async () => {
      cache = mkdtempSync(join(tmpdir(), 'kubechain-custom-'));
      if (store === 'a real etcd') etcd = await startRealEtcd();
      chain = await startChain(etcd === undefined ? {} : { flags: ['--etcd-servers', etcd.endpoint] });
      client = Client.fromKubeconfig(chain.kubeconfig);
    });
    after(async () => {
      await chain?.stop();
      await etcd?.stop();
      rmSync(cache, { recursive: true, force: true });
    });

    it('are applied together with their CRD, in one go with retries', async () => {
      const both = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [definition, boat('argo')] });
      let result: Result = { code: 1, stdout: '', stderr: '' };
      // kubectl looks kinds up before it sends anything, so that the first attempt cannot know the new one.
      for (let attempt = 0; attempt < 5 && result.code !== 0; attempt++)
        result = await kubectl(['apply', '-f', '-'], both);
      expect(result.code, result.stderr).to.equal(0);
      expect((await kubectl(['get', 'boats', '-o', 'name'])).stdout).to.equal('boat.sea.example.com/argo\n');
      expect((await kubectl(['apply', '-f', '-'], both)).stdout).to.equal(
        'customresourcedefinition.apiextensions.k8s.io/boats.sea.example.com ' +
          'unchanged\nboat.sea.example.com/argo unchanged\n',
      );
    });

    it(`list and watch by ${count}, and go with their CRD`, async () => {
      const start = (await client.call('GET', `${boats}?limit=1`)).body.metadata.resourceVersion as string;
      const watch = await client.watch(`${boats}?watch=1&resourceVersion=${start}`);
      const names = Array.from({ length: count }, (_, i) => `fleet-${String(i).padStart(5, '0')}`);
      const waiting = names.entries();
      await Promise.all(
        Array.from({ length: 20 }, async () => {
          for (const [i, name] of waiting)
            expect((await client.call('POST', boats, { body: boat(name, 1 + (i % 9)) })).status).to.equal(201);
        }),
      );
      await watch.atLeast(count, 120_000);
      watch.close();
      expect(new Set(watch.events.map(({ object, type }) => `${type} ${String(object.metadata.name)}`))).to.deep.equal(
        new Set(names.map((name) => `ADDED ${name}`)),
      );

      const nameOf = ({ metadata }: { readonly metadata: { readonly name: string } }): string => metadata.name;
      expect((await client.until(boats, ({ status }) => status === 200)).body.items.map(nameOf)).to.deep.equal([
        'argo',
        ...names,
      ]);
      const paged: string[] = [];
      let token = '';
      do {
        const { body } = await client.call('GET', `${boats}?limit=1500&continue=${encodeURIComponent(token)}`);
        paged.push(...(body.items as { metadata: { name: string } }[]).map(nameOf));
        token = (body.metadata.continue ?? '') as string;
      } while (token !== '');
      expect(paged).to.deep.equal(['argo', ...names]);

      const initial = await client.watch(
        `${boats}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`,
      );
      await initial.atLeast(count + 2, 120_000);
      initial.close();
      expect(
        initial.events.slice(0, count + 1).map(({ object, type }) => `${type} ${String(object.metadata.name)}`),
      ).to.deep.equal(['argo', ...names].map((name) => `ADDED ${name}`));
      expect(initial.events[count + 1]?.object.metadata.annotations).to.deep.equal({
        'k8s.io/initial-events-end': 'true',
      });

      expect((await kubectl(['delete', '--wait=false', 'crd', 'boats.sea.example.com'])).code).to.equal(0);
      expect(
        (await kubectl(['wait', '--for=delete', '--timeout=600s', 'crd/boats.sea.example.com'])).stderr,
      ).not.to.match(/timed out|deadline exceeded/);
      await client.until(crds, ({ body }) => body.items.length === 0);
      expect((await client.call('GET', crds)).body.items).to.deep.equal([]);
    }).timeout(900_000);
  });
}
