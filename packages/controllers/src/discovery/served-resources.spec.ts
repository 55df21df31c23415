import { FakeClock } from '@kubechain/apimachinery/testing';
import { Logger } from '@kubechain/apiserver/logging';
import { expect } from 'chai';
import type { Client } from '../client/client.ts';
import { Discovery } from './discovery.ts';
import { ServedResources } from './served-resources.ts';

const versions = (...names: readonly string[]): object => ({
  items: [
    {
      metadata: { name: 'certificates.k8s.io' },
      versions: names.map((version) => ({
        version,
        resources: version === 'v1' ? [] : [{ resource: 'bundles', scope: 'Cluster' }],
      })),
    },
  ],
});

describe('ServedResources', () => {
  const wanted = { group: 'certificates.k8s.io', resource: 'bundles' };
  const served = (answers: (path: string) => object): { of: ServedResources; asked: string[]; clock: FakeClock } => {
    const asked: string[] = [];
    const client = {
      json: async ({ path }: { readonly path: string }): Promise<object> => {
        asked.push(path);
        return Promise.resolve(answers(path));
      },
    } as unknown as Client;
    const clock = new FakeClock();
    const of = new ServedResources({ discovery: new Discovery(client), clock, log: new Logger('test') });
    return { of, asked, clock };
  };
  const { signal } = new AbortController();

  it('asks once for all, and finds the preferred version that has the resource', async () => {
    const { of, asked } = served((path) => (path === '/apis' ? versions('v1', 'v1beta1', 'v1alpha1') : {}));
    const found = await Promise.all([of.find(wanted, signal), of.find({ group: '', resource: 'pods' }, signal)]);
    expect(found.map((each) => each?.version)).to.deep.equal(['v1beta1', undefined]);
    expect(asked.toSorted()).to.deep.equal(['/api', '/apis']);
  });

  it('asks again until somebody answers', async () => {
    let isUp = false;
    const { of, clock } = served(() => {
      if (!isUp) throw new Error('no');
      return versions('v1beta1');
    });
    const found = of.find(wanted, signal);
    await clock.advance(1);
    isUp = true;
    await clock.advance(5_000);
    expect((await found)?.version).to.equal('v1beta1');
  });

  it('finds nothing for a process that ends', async () => {
    const { of } = served(() => ({}));
    expect(await of.find(wanted, AbortSignal.abort())).to.equal(undefined);
  });
});
