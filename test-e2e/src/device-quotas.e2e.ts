import { expect } from 'chai';
import { startChain, type Chain } from './harness/chain.ts';
import { Client } from './harness/client.ts';

const claims = '/apis/resource.k8s.io/v1/namespaces/default/resourceclaims';
const quota = '/api/v1/namespaces/default/resourcequotas/rq';
const devices = 'gpu.deviceclass.resource.k8s.io/devices';
const implicit = 'requests.deviceclass.resource.kubernetes.io/gpu';
const count = 'count/resourceclaims.resource.k8s.io';

function claim(name: string, allocationMode: string, asked?: number): object {
  const exactly = { deviceClassName: 'gpu', allocationMode, ...(asked === undefined ? {} : { count: asked }) };
  return { metadata: { name }, spec: { devices: { requests: [{ name: 'a', exactly }] } } };
}

const podResources = { requests: { 'deviceclass.resource.kubernetes.io/gpu': '3' } };
const pod = {
  metadata: { name: 'p' },
  spec: { containers: [{ name: 'c', image: 'i', resources: { ...podResources, limits: podResources.requests } }] },
};

/** What kube-apiserver 1.36.2 answered with the same quota. */
const rows: readonly (readonly [path: string, body: object, answer: string])[] = [
  [claims, claim('a', 'ExactCount', 2), '201'],
  [
    claims,
    claim('b', 'ExactCount', 2),
    '403 resourceclaims.resource.k8s.io "b" is forbidden: exceeded quota: rq, ' +
      `requested: ${devices}=2,${implicit}=2, used: ${devices}=2,${implicit}=2, limited: ${devices}=3,${implicit}=2`,
  ],
  [
    claims,
    claim('b', 'All'),
    '403 resourceclaims.resource.k8s.io "b" is forbidden: exceeded quota: rq, ' +
      `requested: ${devices}=32,${implicit}=32, used: ${devices}=2,${implicit}=2, limited: ${devices}=3,${implicit}=2`,
  ],
  [
    claims,
    claim('b', 'ExactCount', 1),
    '403 resourceclaims.resource.k8s.io "b" is forbidden: exceeded quota: rq, ' +
      `requested: ${implicit}=1, used: ${implicit}=2, limited: ${implicit}=2`,
  ],
  [
    '/api/v1/namespaces/default/pods',
    pod,
    '403 pods "p" is forbidden: exceeded quota: rq, ' +
      `requested: ${implicit}=3, used: ${implicit}=2, limited: ${implicit}=2`,
  ],
];

describe('quotas of devices', () => {
  let chain: Chain;
  let client: Client;
  before(async () => {
    chain = await startChain({
      flags: ['--disable-admission-plugins=ServiceAccount', '--controllers=resourcequota'],
    });
    client = Client.fromKubeconfig(chain.kubeconfig);
    const hard = { [devices]: '3', [count]: '5', [implicit]: '2' };
    const path = quota.slice(0, quota.lastIndexOf('/'));
    await client.call('POST', path, { body: { metadata: { name: 'rq' }, spec: { hard } } });
    await client.until(quota, ({ text }) => text.includes(`"used":{"${count}":"0","${devices}":"0"`));
    // Admission follows quotas on its own: it refuses what it has not been told the usage of.
    let status = 403;
    for (let i = 0; i < 600 && status === 403; i++)
      ({ status } = await client.call('POST', `${claims}?dryRun=All`, { body: claim('a', 'ExactCount', 1) }));
  });
  after(() => chain.stop());

  for (const [path, body, answer] of rows)
    it(`answers ${answer.slice(0, 60)}`, async () => {
      const { body: told, status } = await client.call('POST', path, { body });
      expect(status < 300 ? String(status) : `${status} ${String((told as { message: string }).message)}`).to.equal(
        answer,
      );
    });

  it('are counted down when claims go', async () => {
    await client.until(quota, ({ text }) => text.includes(`"${count}":"1","${devices}":"2"`));
    await client.call('DELETE', `${claims}/a`);
    await client.until(quota, ({ text }) => text.includes(`"${count}":"0","${devices}":"0"`));
  });
});
