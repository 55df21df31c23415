import { expect } from 'chai';
import { setTimeout as delay } from 'node:timers/promises';
import { startChain, type Chain } from '../harness/chain.ts';
import { Client } from '../harness/client.ts';
import { pidOf } from '../harness/process-of.ts';

/** Of each process, in MiB: little, so that it is full in a short time. */
const heapMiB = 192;
/** Of each pod: two bytes of JSON, 56 in memory; together more than the heap. */
const terms = 50_000;
const pods = 100;

describe('controllers whose memory is full of objects', function () {
  this.timeout(600_000);
  let chain: Chain;
  let client: Client;

  before(async () => {
    chain = await startChain({
      flags: ['--controllers=lifecycle'],
      environment: { NODE_OPTIONS: `--max-old-space-size=${heapMiB}` },
    });
    client = Client.fromKubeconfig(chain.kubeconfig);
  });
  after(async () => {
    await chain?.stop();
  });

  it('leave out what finds no room, live, and go on with the namespaces of others', async () => {
    const running = pidOf(chain.dataDir, 'controllers');
    await client.post('/api/v1/namespaces', { metadata: { name: 'full' } });
    const accounts = '/api/v1/namespaces/full/serviceaccounts';
    while ((await client.get(`${accounts}/default`)).status !== 200) await delay(100);
    const nodeSelectorTerms = Array.from({ length: terms }, () => ({}));
    const affinity = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } };
    const spec = { containers: [{ name: 'c', image: 'i' }], affinity };
    for (let i = 0; i < pods; i++) {
      const { status } = await client.post('/api/v1/namespaces/full/pods', { metadata: { name: `p${i}` }, spec });
      expect(status).to.equal(201);
    }
    await client.post('/api/v1/namespaces', { metadata: { name: 'other' } });
    const deadline = Date.now() + 30_000;
    let status = 404;
    for (; status !== 200 && Date.now() < deadline; await delay(100))
      ({ status } = await client.get('/api/v1/namespaces/other/serviceaccounts/default'));
    expect(status).to.equal(200);
    expect(pidOf(chain.dataDir, 'controllers')).to.equal(running);
  });
});
