/**
 * Plays rounds of several chains over one etcd cluster behind a load balancer, more and larger ones than CI does:
 *
 *   node test-e2e/src/many-chains/main.ts [--chains 3] [--rounds 1] [--seed 1] [--all-in-one] [--etcd BINARY]
 *       [--kube-apiserver BINARY]
 *
 * --kube-apiserver puts that program beside the chains. A failed round tells its seed.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { EtcdCluster } from './etcd-cluster.ts';
import { manyChainsRound } from './many-chains-round.ts';
import { startReferenceServer } from './reference-server.ts';
import { helpFrom } from '../harness/help.ts';

helpFrom(import.meta.filename);
const { values } = parseArgs({
  options: {
    chains: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    'all-in-one': { type: 'boolean', default: false },
    etcd: { type: 'string', default: 'etcd' },
    'kube-apiserver': { type: 'string' },
  },
});
const directory = mkdtempSync(join(tmpdir(), 'kubechain-many-'));
const cluster = await EtcdCluster.start(values.etcd);
const reference = values['kube-apiserver'];
try {
  for (let i = 0; i < Number(values.rounds); i++) {
    const seed = Number(values.seed) + i;
    const startedAt = performance.now();
    process.stdout.write(`seed ${seed}: `);
    await manyChainsRound({
      cluster,
      directory,
      chains: Number(values.chains),
      flags: values['all-in-one'] ? ['--topology=all-in-one'] : [],
      seed,
      ...(reference === undefined
        ? {}
        : {
            // What its client of etcd says of a lost leader or a full queue goes to its callers as it is.
            mayAlsoPass: ({ code, message }) =>
              code === 500 && /etcdserver: |rpc error: |context deadline exceeded/.test(message),
            more: async (place) => [
              await startReferenceServer({
                binary: reference,
                etcdServers: cluster.endpoints(1),
                dataDir: join(place.directory, 'chain-0'),
              }),
            ],
          }),
      told: (what) => process.stdout.write(`${what}, `),
    });
    process.stdout.write(`passed in ${Math.round((performance.now() - startedAt) / 1000)} s\n`);
  }
} finally {
  await cluster.stop();
  rmSync(directory, { recursive: true, force: true });
}
