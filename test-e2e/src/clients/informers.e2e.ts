import { CoreV1Api, KubeConfig, makeInformer, type V1ConfigMap } from '@kubernetes/client-node';
import { expect } from 'chai';
import { startChain, type Chain } from '../harness/chain.ts';

/** The official JavaScript client, as its users run it. */
describe('@kubernetes/client-node informers', () => {
  let chain: Chain;
  let config: KubeConfig;
  let core: CoreV1Api;

  before(async () => {
    chain = await startChain();
    config = new KubeConfig();
    config.loadFromFile(chain.kubeconfig);
    core = config.makeApiClient(CoreV1Api);
  });
  after(() => chain?.stop());

  it('follow 1,000 changes without a miss', async () => {
    const namespace = 'informed';
    await core.createNamespace({ body: { metadata: { name: namespace } } });
    const seen: string[] = [];
    const list = () => core.listNamespacedConfigMap({ namespace });
    const informer = makeInformer<V1ConfigMap>(config, `/api/v1/namespaces/${namespace}/configmaps`, list);
    const note =
      (type: string) =>
      (object: V1ConfigMap): void => {
        seen.push(`${type} ${object.metadata?.name} ${object.data?.['n'] ?? ''}`);
      };
    informer.on('add', note('add'));
    informer.on('update', note('update'));
    informer.on('delete', note('delete'));
    informer.on('error', (error: unknown) => {
      seen.push(`error ${String(error)}`);
    });
    await informer.start();

    // 100 objects: each created, updated 8 times and deleted, ten at a time.
    const expected: string[] = [];
    const live = async (name: string): Promise<void> => {
      await core.createNamespacedConfigMap({ namespace, body: { metadata: { name }, data: { n: '0' } } });
      for (let n = 1; n <= 8; n++)
        await core.replaceNamespacedConfigMap({
          namespace,
          name,
          body: { metadata: { name }, data: { n: String(n) } },
        });
      await core.deleteNamespacedConfigMap({ namespace, name });
    };
    for (let batch = 0; batch < 10; batch++) {
      const names = Array.from({ length: 10 }, (_, i) => `object-${batch}-${i}`);
      for (const name of names)
        expected.push(
          `add ${name} 0`,
          ...Array.from({ length: 8 }, (_, n) => `update ${name} ${n + 1}`),
          `delete ${name} 8`,
        );
      await Promise.all(names.map(live));
    }
    const deadline = Date.now() + 60_000;
    while (seen.length < expected.length && Date.now() < deadline)
      await new Promise((resolve) => setTimeout(resolve, 20));
    await informer.stop();

    expect(expected).to.have.length(1000);
    const byName = (lines: readonly string[]): Map<string, string[]> =>
      Map.groupBy(lines, (line) => line.split(' ')[1] ?? '');
    const actual = byName(seen);
    for (const [name, lines] of byName(expected)) expect(actual.get(name), name).to.deep.equal(lines);
    expect(seen).to.have.length(1000);
  }).timeout(60_000);
});
