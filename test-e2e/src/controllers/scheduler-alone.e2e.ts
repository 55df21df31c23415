import { startAllInOne } from 'kubechain/all-in-one';
import { expect } from 'chai';
import { resources } from '@kubechain/controllers';
import { Client } from '../harness/client.ts';
import { eventually, startLiveCluster } from './live-cluster.ts';

/** Nodes that nobody plays: whoever registers them, real kubelets for example, wants pods. */
describe('the scheduler without played nodes', () => {
  it('binds pods when it is named', async () => {
    const cluster = await startAllInOne({ controllers: 'kube-scheduler,serviceaccount-controller' });
    const client = Client.fromKubeconfig(cluster.kubeconfig);
    try {
      await client.post('/api/v1/nodes', {
        apiVersion: 'v1',
        kind: 'Node',
        metadata: { name: 'registered' },
        status: { allocatable: { cpu: '1', memory: '1Gi', pods: '10' } },
      });
      const pods = '/api/v1/namespaces/default/pods';
      await client.until('/api/v1/namespaces/default/serviceaccounts/default', ({ status }) => status === 200);
      await client.post(pods, {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'web' },
        spec: {
          containers: [{ name: 'main', image: 'none' }],
          // A node is not ready until its kubelet says so.
          tolerations: [{ operator: 'Exists' }],
        },
      });
      await client.until(`${pods}/web`, ({ body }) => body.spec.nodeName === 'registered');
    } finally {
      client.close();
      await cluster.close();
      await cluster.ended;
    }
  });

  it('works while it is its turn', async () => {
    const leases: string[] = [];
    const turns = [Promise.withResolvers<boolean>(), Promise.withResolvers<boolean>()];
    const lost = Promise.withResolvers<'lost'>();
    let turn = 0;
    const cluster = await startLiveCluster({
      controllers: ['kube-scheduler', 'serviceaccount-controller'],
      controllerFlags: (defaults, { kubeconfig }) => ({
        ...defaults,
        simulation: { ...defaults.simulation, 'simulation-kubeconfig': kubeconfig },
      }),
      newElector: (lease) => {
        leases.push(lease);
        const ended = (signal: AbortSignal) =>
          new Promise<'released'>((resolve) => {
            if (signal.aborted) resolve('released');
            else signal.addEventListener('abort', () => resolve('released'), { once: true });
          });
        return {
          acquire: (signal) =>
            Promise.race([turns[turn++]?.promise ?? Promise.resolve(false), ended(signal).then(() => false)]),
          hold: (signal) => (turn === 1 ? Promise.race([lost.promise, ended(signal)]) : ended(signal)),
        };
      },
    });
    const { client } = cluster;
    const namespace = 'default';
    const patient = { withinMs: 60_000 };
    const pods = client.resource(resources.pods);
    const make = (name: string) =>
      pods.create({
        metadata: { namespace, name },
        spec: { containers: [{ name: 'c', image: 'web:1' }], tolerations: [{ operator: 'Exists' }] },
      });
    const nodeOf = async (name: string) => (await pods.get({ namespace, name })).spec?.nodeName;
    try {
      await client.resource(resources.nodes).create({
        metadata: { name: 'registered' },
        status: { allocatable: { cpu: '1', memory: '1Gi', pods: '10' } },
      });
      await eventually(() => client.resource(resources.serviceaccounts).get({ namespace, name: 'default' }), patient);
      await make('first');
      await eventually(() => Promise.resolve(cluster.controllers.informers.informer(resources.pods).size > 0), patient);
      expect(await nodeOf('first')).to.equal(undefined);
      turns[0]!.resolve(true);
      await eventually(async () => (await nodeOf('first')) === 'registered', patient);
      lost.resolve('lost');
      await eventually(() => Promise.resolve(turn === 2), patient);
      await make('second');
      turns[1]!.resolve(true);
      await eventually(async () => (await nodeOf('second')) === 'registered', patient);
      expect(leases).to.deep.equal(['kube-scheduler']);
    } finally {
      await cluster.stop();
    }
  });
});
