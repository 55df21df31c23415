import { expect } from 'chai';
import { FakeClock } from '@kubechain/apimachinery/testing';
import type { Secret } from '@kubechain/apimachinery/types/core/v1';
import { Client } from '../client/client.ts';
import type { TransportRequest } from '../client/transport.ts';
import { InformerFactory } from '../informers/informer-factory.ts';
import { tokenSecretInformer, tokenSecrets, tokenSecretsOf } from './token-secrets.ts';

describe('secrets with tokens of service accounts', () => {
  it('are found by their account, whatever else is in the namespace', async function () {
    this.timeout(30_000);
    const count = 5_000;
    const items = Array.from({ length: count }, (_, i): Secret => ({
      metadata: { namespace: 'a', name: `s${i}`, uid: `u${i}`, annotations: { [tokenSecrets.accountName]: `n${i}` } },
      type: tokenSecrets.type,
    }));
    const asked: string[] = [];
    const clock = new FakeClock();
    const send = ({ path }: TransportRequest) => {
      asked.push(path);
      const body = (async function* () {
        if (asked.length > 1) await new Promise(() => undefined);
        yield Buffer.from(JSON.stringify({ metadata: { resourceVersion: '1' }, items }));
      })();
      return Promise.resolve({ status: 200, headers: {}, body });
    };
    const client = new Client({ transport: { send, close: () => undefined }, userAgent: 'spec', clock });
    const informers = new InformerFactory({ client, clock, random: () => 0 });
    const informer = tokenSecretInformer(informers);
    informers.start(new AbortController().signal);
    await informer.waitForSync();
    expect(asked[0]).to.contain(encodeURIComponent(`type=${tokenSecrets.type}`));
    const { user } = process.cpuUsage();
    for (let i = 0; i < count; i++)
      expect(tokenSecretsOf(informer, `a/n${i}`).map(({ metadata }) => metadata?.name)).to.deep.equal([`s${i}`]);
    expect(tokenSecretsOf(informer, 'b/n0')).to.deep.equal([]);
    // All secrets of the namespace were looked through for each account: 3,000 ms.
    expect((process.cpuUsage().user - user) / 1_000).to.be.lessThan(1_500);
  });
});
