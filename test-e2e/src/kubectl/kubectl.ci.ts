import { startRealEtcd, type EtcdProcess } from '@kubechain/shared-storage/testing';
import { shareOf } from '../ci/share.ts';
import { startChain, type Chain } from '../harness/chain.ts';
import { administering } from './cluster.ts';
import { applying } from './apply.ts';
import { Kubectl, kubectlBinaries } from './kubectl.ts';
import { reading } from './read.ts';
import { shopping } from './shop.ts';
import { writing } from './write.ts';

/** Real kubectl programs of several releases against the chain, as a user runs them. */
const binaries = kubectlBinaries();
for (const binary of binaries) {
  for (const store of ['the embedded store', 'a real etcd'] as const) {
    if (store === 'a real etcd' && !shareOf(binaries).includes(binary)) continue;
    describe(`${binary.name}, over ${store}`, () => {
      let chain: Chain;
      let etcd: EtcdProcess | undefined;
      let kubectl: Kubectl;

      before(async function () {
        // The first one may have to build kubectl.
        this.timeout(900_000);
        const path = await binary.path();
        if (store === 'a real etcd') etcd = await startRealEtcd();
        chain = await startChain(etcd === undefined ? {} : { flags: ['--etcd-servers', etcd.endpoint] });
        kubectl = new Kubectl(path, chain.kubeconfig);
      });
      after(async () => {
        kubectl?.close();
        await chain?.stop();
        await etcd?.stop();
      });

      for (const [topic, suite] of Object.entries({
        'a real application': shopping,
        reading,
        writing,
        applying,
        administering,
      })) {
        describe(topic, () => {
          suite(() => kubectl, binary.minor);
        });
      }
    });
  }
}
