import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startChain, type Chain } from '../harness/chain.ts';
import { Client } from '../harness/client.ts';
import { play, type Told } from './play.ts';
import { preparation, steps } from './steps.ts';

/** What kube-apiserver 1.36.2 answered, by `wire-details/record.ts`. */
const recorded = JSON.parse(readFileSync(join(import.meta.dirname, 'recorded.json'), 'utf8')) as readonly Told[];

const definition = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.wire.example.com';

describe('bytes on the wire: escapes, order of keys, methods, media types, patches of kinds, names, selectors', () => {
  let chain: Chain;
  let client: Client;
  before(async () => {
    chain = await startChain({ flags: ['--disable-admission-plugins=ServiceAccount'] });
    client = Client.fromKubeconfig(chain.kubeconfig);
    for (const step of preparation) await play(client, step);
    await client.until(definition, ({ text }) =>
      /"type":"Established"[^}]*"status":"True"|"status":"True"[^}]*"type":"Established"/.test(text),
    );
    for (const path of ['/apis/wire.example.com', '/apis/wire.example.com/v1'])
      await client.until(path, ({ status }) => status === 200);
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
