import { loadRelease } from '@kubechain/apimachinery';
import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startChain, type Chain } from '../harness/chain.ts';
import { Client } from '../harness/client.ts';
import { play, type Told } from '../wire-details/play.ts';
import { steps } from './steps.ts';

/** What kube-apiserver 1.37.2 answered, by `record.ts`. */
const recorded = JSON.parse(readFileSync(join(import.meta.dirname, 'recorded-1.37.json'), 'utf8')) as readonly Told[];

describe('a chain of Kubernetes 1.37', () => {
  let chain: Chain;
  let client: Client;
  before(async () => {
    chain = await startChain({ flags: ['--kubernetes-version=1.37'] });
    client = Client.fromKubeconfig(chain.kubeconfig);
  });
  after(() => chain.stop());

  it('says so in /version', async () => {
    const { gitVersion, minor } = (await client.get('/version')).body as Record<string, string>;
    expect({ gitVersion, minor }).to.deep.equal({ gitVersion: 'v1.37.2+kubechain', minor: '37' });
  });

  it('serves the groups and versions of 1.37', async () => {
    const release = await loadRelease('1.37');
    const { groups } = (await client.get('/apis')).body as { groups: { name: string }[] };
    expect(groups.map(({ name }) => name).toSorted()).to.deep.equal(
      release?.groups
        .map(({ group }) => group)
        .filter((group) => group !== '')
        .toSorted(),
    );
  });

  it('has an answer to every step', () => {
    expect(recorded.length).to.equal(steps.length);
  });

  for (const [i, step] of steps.entries()) {
    const { accept, body, method, path } = step;
    const more = [accept, body === undefined ? undefined : JSON.stringify(body).slice(0, 80)];
    it(`${i}: ${[method, path, ...more].filter((part) => part !== undefined).join(' ')}`, async () => {
      expect(await play(client, step)).to.deep.equal(recorded[i]);
    });
  }
});
