import { expect } from 'chai';
import { startChain, type Chain } from '../harness/chain.ts';
import { Client } from '../harness/client.ts';
import { costRatio, Load, processorSeconds } from './load.ts';

const path = '/api/v1/namespaces/default/configmaps/x';
/** Requests of a round of load: some seconds. */
const roundRequests = 4_000;
const leastPairs = 5;
const mostPairs = 20;
/** What the servers may use that could show a page, of what those use that could not: what cannot be told from nothing. */
const mostCost = 1.05;

/** A chain that is asked for the same thing again and again. */
class BusyChain {
  readonly #chain: Chain;
  readonly #load: Load;

  private constructor(chain: Chain) {
    this.#chain = chain;
    this.#load = new Load(chain, path);
  }

  static async start(...flags: readonly string[]): Promise<BusyChain> {
    const chain = await startChain({ flags });
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' } };
    await Client.fromKubeconfig(chain.kubeconfig).post('/api/v1/namespaces/default/configmaps', body);
    return new BusyChain(chain);
  }

  /** Processor seconds that a round takes. */
  async round(): Promise<number> {
    const before = processorSeconds(this.#chain);
    await this.#load.run(roundRequests);
    return processorSeconds(this.#chain) - before;
  }

  async stop(): Promise<void> {
    this.#load.close();
    await this.#chain.stop();
  }
}

describe('a page that nobody has opened', function () {
  this.timeout(900_000);
  let plain: BusyChain;
  let pageable: BusyChain;

  before(async () => {
    // The page comes with the control API, whose journal goes on, page or not.
    plain = await BusyChain.start('--control');
    pageable = await BusyChain.start('--ui');
  });
  after(async () => {
    await pageable?.stop();
    await plain?.stop();
  });

  it('costs a busy chain nothing that could be told from the noise', async function () {
    for (let round = 0; round < 3; round++) {
      await plain.round();
      await pageable.round();
    }
    const pairs: { readonly plain: number; readonly pageable: number }[] = [];
    const ratio = (): number =>
      costRatio(
        pairs.map((pair) => pair.pageable),
        pairs.map((pair) => pair.plain),
      );
    while (pairs.length < leastPairs || (ratio() > mostCost && pairs.length < mostPairs)) {
      // In turn, so that what comes over the machine comes over both.
      const first = pairs.length % 2 === 0 ? plain : pageable;
      const one = await first.round();
      const other = await (first === plain ? pageable : plain).round();
      pairs.push(first === plain ? { plain: one, pageable: other } : { plain: other, pageable: one });
    }
    const told = pairs.map((pair) => `${pair.plain.toFixed(2)} s, ${pair.pageable.toFixed(2)} s`).join('; ');
    this.test!.title += ` (${ratio().toFixed(3)} of ${pairs.length} pairs)`;
    expect(ratio(), told).to.be.at.most(mostCost);
  });
});
