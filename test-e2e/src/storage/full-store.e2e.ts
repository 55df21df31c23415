import { expect } from 'chai';
import { startChain } from '../harness/chain.ts';
import type { Chain } from '../harness/chain.ts';
import { Client } from '../harness/client.ts';

describe('a store that is full', () => {
  let chain: Chain;
  let client: Client;
  const path = '/api/v1/namespaces/default/configmaps';
  before(async () => {
    chain = await startChain({ flags: ['--quota-backend-bytes=12000000'] });
    client = Client.fromKubeconfig(chain.kubeconfig);
  });
  after(async () => {
    client.close();
    await chain.stop();
  });

  it('refuses what would be stored, reads on, and takes deletions', async () => {
    const create = (name: string) => client.post(path, { metadata: { name }, data: { text: 'x'.repeat(1_000_000) } });
    let stored = 0;
    let answer = await create('c0');
    while (answer.status === 201 && stored < 30) answer = await create(`c${++stored}`);
    expect(stored).to.be.within(5, 12);
    expect(answer.body).to.include({ code: 500, message: 'etcdserver: mvcc: database space exceeded' });
    expect((await client.get(path)).body.items).to.have.length.at.least(stored);
    expect((await client.get('/readyz')).status).to.equal(200);
    for (let i = 0; i < stored; i++) expect((await client.delete(`${path}/c${i}`)).status).to.equal(200);
    expect((await client.get(`${path}/c0`)).status).to.equal(404);
  });
});
