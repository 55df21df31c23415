import { startAllInOne } from 'kubechain/all-in-one';
import { Client } from '../harness/client.ts';

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
});
