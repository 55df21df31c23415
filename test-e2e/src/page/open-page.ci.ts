import { expect } from 'chai';
import { setTimeout as delay } from 'node:timers/promises';
import { startChain, type Chain } from '../harness/chain.ts';
import { Client } from '../harness/client.ts';
import { FeedFollower } from './feed-follower.ts';
import { costRatio, Load, processorSeconds } from './load.ts';
import { addressIn, PageDriver } from './page-driver.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
/** Requests of a round of load: some seconds. */
const roundRequests = 6_000;
const leastRounds = 4;
const mostRounds = 16;
/** What the servers may use with the page open, of what they use without. */
const mostCost = 1.05;

/** A round of load. */
interface Round {
  readonly seconds: number;
  readonly ms: number;
}

describe('a page that is open', function () {
  this.timeout(600_000);
  let chain: Chain;
  let page: PageDriver;

  before(async () => {
    chain = await startChain({ flags: ['--ui', '--controllers=lifecycle'] });
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' } };
    await Client.fromKubeconfig(chain.kubeconfig).post(configMaps, body);
    page = await PageDriver.open(addressIn(chain.output()));
    await page.shows('live');
  });
  after(async () => {
    await page?.close();
    await chain?.stop();
  });

  it('costs a busy chain less than 5 %, and does not grow', async () => {
    const url = addressIn(chain.output());
    const load = new Load(chain, `${configMaps}/x`);
    for (let round = 0; round < 3; round++) await load.run(roundRequests);
    const open: Round[] = [];
    const closed: Round[] = [];
    const round = async (): Promise<Round> => {
      const before = processorSeconds(chain);
      const ms = await load.run(roundRequests);
      return { seconds: processorSeconds(chain) - before, ms };
    };
    const secondsOf = (rounds: readonly Round[]): readonly number[] => rounds.map(({ seconds }) => seconds);
    const ratio = (): number => costRatio(secondsOf(open), secondsOf(closed));
    await page.page.goto('about:blank');
    while (open.length < leastRounds || (ratio() >= mostCost && open.length < mostRounds)) {
      const follower = await FeedFollower.open(url);
      await delay(1_000);
      open.push(await round());
      follower.close();
      expect(follower.bytes).to.be.greaterThan(10_000);
      await delay(1_000);
      closed.push(await round());
    }
    const told = (rounds: readonly Round[]): string =>
      secondsOf(rounds)
        .map((seconds) => seconds.toFixed(2))
        .join(' ');
    const fastest = Math.min(...open.map(({ ms }) => ms));
    console.log(
      `      up to ${Math.round((roundRequests / fastest) * 1_000)} requests a second; processor seconds of ` +
        `${roundRequests}: open ${told(open)}, closed ${told(closed)}, ratio ${ratio().toFixed(3)}`,
    );
    expect(ratio()).to.be.lessThan(mostCost);

    await page.page.goto(url);
    await page.shows('live');
    for (let i = 0; i < 2; i++) await load.run(roundRequests);
    const settled = await page.heapBytes();
    for (let i = 0; i < 4; i++) await load.run(roundRequests);
    expect(await page.heapBytes()).to.be.lessThan(settled * 1.5 + 5_000_000);
    expect(await page.ask(`document.querySelectorAll('*').length`)).to.be.lessThan(5_000);
    load.close();
  });
});
