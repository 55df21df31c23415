import { expect } from 'chai';
import { notFound } from '@kubechain/apimachinery';
import { RemoteNamespaces } from './remote-namespaces.ts';

describe('RemoteNamespaces', () => {
  const { signal } = new AbortController();
  it('remembers a namespace for five seconds, and asks each time about one that is not there', async () => {
    let now = 0;
    const asked: string[] = [];
    const namespaces = new RemoteNamespaces(
      {
        get(path) {
          asked.push(path);
          return path.endsWith('/none')
            ? Promise.reject(notFound({ group: '', resource: 'namespaces' }, 'none'))
            : Promise.resolve({ metadata: { name: 'shop' } });
        },
      },
      { now: () => now },
    );
    expect(namespaces.get('shop')).to.equal(undefined);
    expect(await namespaces.getLive('shop', signal)).to.deep.equal({ metadata: { name: 'shop' } });
    now = 4_999;
    expect(namespaces.get('shop')).to.deep.equal({ metadata: { name: 'shop' } });
    now = 5_000;
    expect(namespaces.get('shop')).to.equal(undefined);
    expect([await namespaces.getLive('none', signal), namespaces.get('none')]).to.deep.equal([undefined, undefined]);
    expect(asked).to.deep.equal(['/api/v1/namespaces/shop', '/api/v1/namespaces/none']);
  });
});
