import { expect } from 'chai';
import { isForbidden } from '@kubechain/apimachinery';
import { resources } from '@kubechain/controllers';
import { eventually, startLiveCluster, type LiveCluster } from './live-cluster.ts';

describe('the resource quota controller', () => {
  let cluster: LiveCluster;
  const namespace = 'default';
  before(async () => {
    cluster = await startLiveCluster({ controllers: ['resourcequota', 'serviceaccount', 'clusterrole-aggregation'] });
    await eventually(() => cluster.client.resource(resources.serviceaccounts).get({ namespace, name: 'default' }));
  });
  after(() => cluster.stop());

  const usedBecomes = (name: string, wanted: Record<string, string>) =>
    eventually(async () => {
      const { status } = await cluster.client.resource(resources.resourcequotas).get({ namespace, name });
      try {
        expect(status?.used).to.deep.equal(wanted);
        return true;
      } catch {
        return false;
      }
    });
  const makePod = (name: string) =>
    cluster.client.resource(resources.pods).create({
      metadata: { namespace, name },
      spec: { containers: [{ name: 'c', image: 'nginx', resources: { requests: { cpu: '100m', memory: '1Gi' } } }] },
    });

  it('counts what is there, and gives back what is deleted', async () => {
    const { client } = cluster;
    await makePod('first');
    await client.resource(resources.resourcequotas).create({
      metadata: { namespace, name: 'pods' },
      spec: { hard: { pods: '2', 'requests.cpu': '1', 'requests.memory': '10Gi' } },
    });
    await usedBecomes('pods', { pods: '1', 'requests.cpu': '100m', 'requests.memory': '1Gi' });
    await makePod('second');
    await usedBecomes('pods', { pods: '2', 'requests.cpu': '200m', 'requests.memory': '2Gi' });
    const refused = await makePod('third').catch((error: unknown) => error);
    expect(isForbidden(refused)).to.equal(true);
    await client.resource(resources.pods).delete({ namespace, name: 'first' }, { gracePeriodSeconds: 0 });
    await usedBecomes('pods', { pods: '1', 'requests.cpu': '100m', 'requests.memory': '1Gi' });
    await makePod('third');
  });

  it('does not count pods that have ended, but their number as objects', async () => {
    const { client } = cluster;
    await client.resource(resources.resourcequotas).create({
      metadata: { namespace, name: 'counts' },
      spec: { hard: { 'count/pods': '10', pods: '10' } },
    });
    await usedBecomes('counts', { 'count/pods': '2', pods: '2' });
    await client
      .resource(resources.pods)
      .patch({ namespace, name: 'second' }, { status: { phase: 'Succeeded' } }, { subresource: 'status' });
    await usedBecomes('counts', { 'count/pods': '2', pods: '1' });
  });

  it('counts objects of any resource, and those of a scope', async () => {
    const { client } = cluster;
    await client.resource(resources.configmaps).create({ metadata: { namespace, name: 'a' } });
    await client.resource(resources.resourcequotas).create({
      metadata: { namespace, name: 'any' },
      spec: { hard: { configmaps: '5', 'count/leases.coordination.k8s.io': '5', 'count/nothing.example.com': '1' } },
    });
    await client.resource(resources.resourcequotas).create({
      metadata: { namespace, name: 'best-effort' },
      spec: { hard: { pods: '5' }, scopes: ['BestEffort'] },
    });
    await usedBecomes('any', { configmaps: '1', 'count/leases.coordination.k8s.io': '0' });
    await usedBecomes('best-effort', { pods: '0' });
    await client.resource(resources.configmaps).delete({ namespace, name: 'a' });
    await usedBecomes('any', { configmaps: '0', 'count/leases.coordination.k8s.io': '0' });
  });

  it('has a colleague that aggregates cluster roles', async () => {
    const roles = cluster.client.resource(resources.clusterroles);
    const rule = { apiGroups: ['example.com'], resources: ['widgets'], verbs: ['get', 'list'] };
    await roles.create({
      metadata: { name: 'widgets-view', labels: { 'rbac.authorization.k8s.io/aggregate-to-view': 'true' } },
      rules: [rule],
    });
    for (const name of ['view', 'edit', 'admin'])
      await eventually(async () => {
        const { rules } = await roles.get({ name });
        return rules?.some(({ apiGroups, resources: of }) => apiGroups?.[0] === 'example.com' && of?.[0] === 'widgets');
      });
    await roles.delete({ name: 'widgets-view' });
    await eventually(async () => {
      const { rules } = await roles.get({ name: 'view' });
      return rules?.every(({ apiGroups }) => apiGroups?.[0] !== 'example.com');
    });
  });
});
