import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startChain, type Chain } from '../harness/chain.ts';
import { Client } from '../harness/client.ts';
import { runtimeConfig, steps } from './steps.ts';
import { play, type Told } from '../wire-details/play.ts';

/** What kube-apiserver 1.36.2 answered, by `optional-apis/record.ts`. */
const recorded = JSON.parse(readFileSync(join(import.meta.dirname, 'recorded.json'), 'utf8')) as readonly Told[];

describe('alpha and beta versions that --runtime-config asks for', () => {
  let chain: Chain;
  let client: Client;
  before(async () => {
    chain = await startChain({ flags: [`--runtime-config=${runtimeConfig}`] });
    client = Client.fromKubeconfig(chain.kubeconfig);
    await client.until('/apis/storage.k8s.io/v1beta1', ({ status }) => status === 200);
  });
  after(() => chain.stop());

  it('has an answer to every step', () => {
    expect(recorded.length).to.equal(steps.length);
  });

  for (const [i, step] of steps.entries()) {
    const { accept, body, contentType, method, path } = step;
    const more = [accept, contentType, body === undefined ? undefined : JSON.stringify(body).slice(0, 60)];
    it(`${i}: ${[method, path, ...more].filter((part) => part !== undefined).join(' ')}`, async () => {
      expect(await play(client, step)).to.deep.equal(recorded[i]);
    });
  }
});
