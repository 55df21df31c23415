import { expect } from 'chai';
import type { Pod } from '@kubechain/apimachinery/types/core/v1';
import { resources } from '@kubechain/controllers';
import { eventually, startLiveCluster, type LiveCluster } from './live-cluster.ts';

describe('controllers of endpoints', () => {
  let cluster: LiveCluster;
  const namespace = 'default';
  before(async () => {
    cluster = await startLiveCluster({
      controllers: ['endpoint', 'endpointslice', 'endpointslicemirroring', 'serviceaccount'],
    });
    const { client } = cluster;
    await client.resource(resources.nodes).create({
      metadata: { name: 'n1', labels: { 'topology.kubernetes.io/zone': 'z1' } },
    });
    await eventually(() => client.resource(resources.serviceaccounts).get({ namespace, name: 'default' }));
  });
  after(() => cluster.stop());

  const slicesOf = async (service: string) =>
    (
      await cluster.client
        .resource(resources.endpointslices)
        .list({ namespace, labelSelector: `kubernetes.io/service-name=${service}` })
    ).items;

  async function runningPod(name: string, ip: string, ready = true): Promise<Pod> {
    const pods = cluster.client.resource(resources.pods);
    const pod = await pods.create({
      metadata: { namespace, name, labels: { app: 'web' } },
      spec: {
        nodeName: 'n1',
        containers: [{ name: 'c', image: 'nginx', ports: [{ name: 'http', containerPort: 8080 }] }],
      },
    });
    await setStatus(name, ip, ready);
    return pod;
  }
  async function setStatus(name: string, ip: string, ready: boolean): Promise<void> {
    await cluster.client.resource(resources.pods).patch(
      { namespace, name },
      {
        status: {
          phase: 'Running',
          podIP: ip,
          podIPs: [{ ip }],
          conditions: [{ type: 'Ready', status: ready ? 'True' : 'False', lastTransitionTime: '2026-01-01T00:00:00Z' }],
        },
      },
      { subresource: 'status' },
    );
  }

  it('follow the pods of a service: ready, not ready, gone', async () => {
    const { client } = cluster;
    const service = await client.resource(resources.services).create({
      metadata: { namespace, name: 'web', labels: { team: 'a' } },
      spec: { selector: { app: 'web' }, ports: [{ name: 'main', port: 80, targetPort: 'http' }] },
    });
    const placeholder = await eventually(async () => (await slicesOf('web'))[0]);
    expect([placeholder.endpoints, placeholder.ports]).to.deep.equal([null, null]);
    const pod = await runningPod('web-1', '10.1.0.1');
    await runningPod('web-2', '10.1.0.2', false);
    const slice = await eventually(async () => {
      const [found, ...more] = await slicesOf('web');
      return more.length === 0 && found?.endpoints?.length === 2 ? found : undefined;
    });
    expect(slice.metadata?.name).to.equal(placeholder.metadata?.name);
    expect(slice.metadata?.labels).to.deep.equal({
      team: 'a',
      'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
      'kubernetes.io/service-name': 'web',
    });
    expect(slice.metadata?.ownerReferences).to.deep.equal([
      {
        apiVersion: 'v1',
        kind: 'Service',
        name: 'web',
        uid: service.metadata?.uid,
        controller: true,
        blockOwnerDeletion: true,
      },
    ]);
    expect(slice.ports).to.deep.equal([{ name: 'main', port: 8080, protocol: 'TCP' }]);
    expect(slice.endpoints?.find(({ addresses }) => addresses[0] === '10.1.0.1')).to.deep.equal({
      addresses: ['10.1.0.1'],
      conditions: { ready: true, serving: true, terminating: false },
      targetRef: { kind: 'Pod', namespace, name: 'web-1', uid: pod.metadata?.uid },
      nodeName: 'n1',
      zone: 'z1',
    });
    const endpoints = await eventually(async () => {
      const found = await client.resource(resources.endpoints).get({ namespace, name: 'web' });
      return found.subsets?.[0]?.notReadyAddresses === undefined ? undefined : found;
    });
    expect(endpoints.metadata?.labels).to.deep.equal({
      team: 'a',
      'endpoints.kubernetes.io/managed-by': 'endpoint-controller',
    });
    expect(endpoints.subsets).to.have.lengthOf(1);
    expect(endpoints.subsets?.[0]?.ports).to.deep.equal([{ name: 'main', port: 8080, protocol: 'TCP' }]);
    expect(endpoints.subsets?.[0]?.addresses?.map(({ ip, nodeName }) => [ip, nodeName])).to.deep.equal([
      ['10.1.0.1', 'n1'],
    ]);
    expect(endpoints.subsets?.[0]?.notReadyAddresses?.map(({ ip }) => ip)).to.deep.equal(['10.1.0.2']);

    await setStatus('web-1', '10.1.0.1', false);
    await setStatus('web-2', '10.1.0.2', true);
    await eventually(async () => {
      const { subsets } = await client.resource(resources.endpoints).get({ namespace, name: 'web' });
      return subsets?.[0]?.addresses?.map(({ ip }) => ip).join() === '10.1.0.2';
    });
    await client.resource(resources.pods).delete({ namespace, name: 'web-1' }, { gracePeriodSeconds: 0 });
    await eventually(async () => {
      const all = (await slicesOf('web')).flatMap(({ endpoints: each }) => each ?? []);
      return all.map(({ addresses }) => addresses[0]).join() === '10.1.0.2';
    });
    await client.resource(resources.services).delete({ namespace, name: 'web' });
    await eventually(async () => {
      const { items } = await client.resource(resources.endpoints).list({ namespace });
      return !items.some(({ metadata }) => metadata?.name === 'web');
    });
  });

  it('label those of headless services, and give their pods host names', async () => {
    const { client } = cluster;
    await client.resource(resources.services).create({
      metadata: { namespace, name: 'quiet' },
      spec: { clusterIP: 'None', selector: { app: 'quiet' }, publishNotReadyAddresses: true },
    });
    await client.resource(resources.pods).create({
      metadata: { namespace, name: 'quiet-0', labels: { app: 'quiet' } },
      spec: { nodeName: 'n1', hostname: 'quiet-0', subdomain: 'quiet', containers: [{ name: 'c', image: 'nginx' }] },
    });
    await setStatus('quiet-0', '10.1.0.9', false);
    const endpoints = await eventually(async () => {
      const found = await client.resource(resources.endpoints).get({ namespace, name: 'quiet' });
      return found.subsets?.[0]?.addresses === undefined ? undefined : found;
    });
    expect(endpoints.metadata?.labels?.['service.kubernetes.io/headless']).to.equal('');
    expect(endpoints.subsets?.[0]?.addresses?.[0]?.hostname).to.equal('quiet-0');
    expect(endpoints.subsets?.[0]?.ports).to.equal(undefined);
    const slice = await eventually(async () =>
      (await slicesOf('quiet')).find(({ endpoints: each }) => each?.length === 1),
    );
    expect(slice.endpoints?.[0]).to.deep.include({
      hostname: 'quiet-0',
      conditions: { ready: true, serving: false, terminating: false },
    });
  });

  it('mirror Endpoints of services without selectors', async () => {
    const { client } = cluster;
    await client.resource(resources.services).create({
      metadata: { namespace, name: 'outside' },
      spec: { ports: [{ port: 80 }] },
    });
    const endpoints = client.resource(resources.endpoints);
    await endpoints.create({
      metadata: { namespace, name: 'outside', labels: { a: 'b' }, annotations: { note: 'x' } },
      subsets: [
        {
          addresses: [{ ip: '192.0.2.1' }, { ip: '2001:db8::1' }],
          notReadyAddresses: [{ ip: '192.0.2.2' }],
          ports: [{ port: 8080 }],
        },
      ],
    });
    const slices = await eventually(async () => {
      const found = await slicesOf('outside');
      return found.length === 2 ? found : undefined;
    });
    const ipv4 = slices.find(({ addressType }) => addressType === 'IPv4');
    expect(ipv4?.metadata?.labels).to.deep.equal({
      a: 'b',
      'endpointslice.kubernetes.io/managed-by': 'endpointslicemirroring-controller.k8s.io',
      'kubernetes.io/service-name': 'outside',
    });
    expect(ipv4?.metadata?.annotations).to.deep.equal({ note: 'x' });
    expect(ipv4?.metadata?.ownerReferences?.map(({ kind, name }) => [kind, name])).to.deep.equal([
      ['Endpoints', 'outside'],
    ]);
    expect(ipv4?.endpoints?.map(({ addresses, conditions }) => [addresses[0], conditions?.ready])).to.deep.equal([
      ['192.0.2.1', true],
      ['192.0.2.2', false],
    ]);
    await endpoints.delete({ namespace, name: 'outside' });
    await eventually(async () => (await slicesOf('outside')).length === 0);
    // The API server's own endpoints have slices of their own.
    const { items } = await client.resource(resources.endpointslices).list({ namespace: 'default' });
    expect(items.filter(({ metadata }) => metadata?.name?.startsWith('kubernetes-'))).to.deep.equal([]);
  });
});
