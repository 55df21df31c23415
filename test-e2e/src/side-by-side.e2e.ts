import { expect } from 'chai';
import { startAllInOne, type AllInOne } from 'kubechain/all-in-one';
import { Client } from './harness/client.ts';

const namespaced = '/api/v1/namespaces/default';

const pod = (name: string, privileged: boolean): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: { containers: [{ name: 'c', image: 'i', securityContext: { privileged } }] },
});
const event = {
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { name: 'e' },
  involvedObject: { kind: 'Pod', name: 'p', namespace: 'default' },
};

/** A cluster of this process, its administrator, and what it has logged. */
class Cluster {
  readonly logged: string[] = [];
  cluster!: AllInOne;
  client!: Client;

  async start(flags: readonly string[]): Promise<void> {
    this.cluster = await startAllInOne({ flags, onLog: (line) => void this.logged.push(line) });
    this.client = Client.fromKubeconfig(this.cluster.kubeconfig);
  }

  async stop(): Promise<void> {
    this.client.close();
    await this.cluster.close();
    await this.cluster.ended;
  }
}

describe('two clusters in one process', function () {
  this.timeout(120_000);
  const strict = new Cluster();
  const lax = new Cluster();
  let open: readonly string[];

  before(async () => {
    // Mocha sets its timer once the hook waits.
    await new Promise(setImmediate);
    open = process.getActiveResourcesInfo();
    await Promise.all([
      strict.start(['--allow-privileged=false', '-v=0']),
      lax.start([
        '--disable-admission-plugins=ServiceAccount,NamespaceLifecycle,ValidatingAdmissionPolicy',
        '--feature-gates=AllowUnsafeMalformedObjectDeletion=true',
        '--event-ttl=2s',
        '--profiling=false',
        '-v=3',
      ]),
    ]);
  });
  after(async () => {
    await Promise.all([strict.stop(), lax.stop()]);
    await holds(() => process.getActiveResourcesInfo().length <= open.length);
  });

  it('have admission plugins of their own', async () => {
    const refused = await strict.client.post(`${namespaced}/pods`, pod('plain', false));
    expect([refused.status, refused.body.message]).to.deep.equal([
      403,
      'pods "plain" is forbidden: error looking up service account default/default: serviceaccount "default" not found',
    ]);
    expect((await lax.client.post(`${namespaced}/pods`, pod('plain', false))).status).to.equal(201);
    const elsewhere = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' } };
    expect((await strict.client.post('/api/v1/namespaces/nowhere/configmaps', elsewhere)).status).to.equal(404);
    expect((await lax.client.post('/api/v1/namespaces/nowhere/configmaps', elsewhere)).status).to.equal(201);
  });

  it('have admission plugins of their own for what the first server stores', async () => {
    const base = '/apis/admissionregistration.k8s.io/v1';
    const policy = {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name: 'no-extensions' },
      spec: {
        matchConstraints: {
          resourceRules: [
            {
              apiGroups: ['apiregistration.k8s.io'],
              apiVersions: ['v1'],
              operations: ['CREATE'],
              resources: ['apiservices'],
            },
          ],
        },
        validations: [{ expression: 'object.spec.groupPriorityMinimum > 1000', message: 'not here' }],
      },
    };
    const binding = {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name: 'no-extensions' },
      spec: { policyName: 'no-extensions', validationActions: ['Deny'] },
    };
    const apiService = (group: string): object => ({
      apiVersion: 'apiregistration.k8s.io/v1',
      kind: 'APIService',
      metadata: { name: `v1.${group}` },
      spec: {
        group,
        version: 'v1',
        groupPriorityMinimum: 10,
        versionPriority: 10,
        insecureSkipTLSVerify: true,
        service: { namespace: 'default', name: 'nobody' },
      },
    });
    const path = '/apis/apiregistration.k8s.io/v1/apiservices';
    for (const { client } of [strict, lax]) {
      expect((await client.post(`${base}/validatingadmissionpolicies`, policy)).status).to.equal(201);
      expect((await client.post(`${base}/validatingadmissionpolicybindings`, binding)).status).to.equal(201);
    }
    // Policies are followed: the first requests may come before them.
    let refused = await strict.client.post(`${path}?dryRun=All`, apiService('a.example.com'));
    for (let tries = 0; refused.status === 201; tries++) {
      expect(tries).to.be.lessThan(600);
      await new Promise((resolve) => {
        setTimeout(resolve, 100);
      });
      refused = await strict.client.post(`${path}?dryRun=All`, apiService('a.example.com'));
    }
    expect(refused.status, refused.text).to.equal(422);
    expect(refused.body.message).to.include("ValidatingAdmissionPolicy 'no-extensions' with binding 'no-extensions'");
    expect((await lax.client.post(path, apiService('a.example.com'))).status).to.equal(201);
  });

  it('have capabilities of their own', async () => {
    const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } };
    expect((await strict.client.post(`${namespaced}/serviceaccounts`, account)).status).to.equal(201);
    const refused = await strict.client.post(`${namespaced}/pods`, pod('privileged', true));
    expect(refused.status, refused.text).to.equal(422);
    expect(refused.body.message).to.include('disallowed by cluster policy');
    expect((await lax.client.post(`${namespaced}/pods`, pod('privileged', true))).status).to.equal(201);
  });

  it('have feature gates of their own', async () => {
    const options = { kind: 'DeleteOptions', apiVersion: 'v1', ignoreStoreReadErrorWithClusterBreakingPotential: true };
    const answers = await Promise.all(
      [strict, lax].map(async ({ client }) => {
        await client.post(`${namespaced}/configmaps`, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'g' } });
        return client.call('DELETE', `${namespaced}/configmaps/g`, { body: options });
      }),
    );
    // Without the gate the option is not known; with it, objects that can be read are not deleted so.
    expect(answers.map(({ status }) => status)).to.deep.equal([200, 422]);
  });

  it('keep events for as long as each is told', async () => {
    for (const { client } of [strict, lax])
      expect((await client.post(`${namespaced}/events`, event)).status).to.equal(201);
    await lax.client.until(`${namespaced}/events/e`, ({ status }) => status === 404);
    expect((await strict.client.get(`${namespaced}/events/e`)).status).to.equal(200);
  });

  it('show flags, metrics and pages of their own', async () => {
    const text = { headers: { accept: 'text/plain' } };
    expect((await strict.client.get('/flagz', text)).text).to.include('\nv=0\n');
    expect((await lax.client.get('/flagz', text)).text).to.include('\nv=3\n');
    expect((await strict.client.get('/debug/flags')).status).to.equal(200);
    expect((await lax.client.get('/debug/flags')).status).to.equal(404);
    await lax.client.get('/apis/apps/v1/deployments');
    const counted = 'apiserver_request_total{code="200",component="apiserver",group="apps",resource="deployments"';
    expect((await lax.client.get('/metrics')).text).to.include(counted);
    expect((await strict.client.get('/metrics')).text).not.to.include(counted);
  });

  it('log by levels of their own, each to its own place', async () => {
    const path = `${namespaced}/secrets/nobody`;
    const requests = (): number[] =>
      [strict, lax].map(({ logged }) => logged.filter((line) => line.includes('secrets/nobody')).length);
    await Promise.all([strict, lax].map(({ client }) => client.get(path)));
    // A line is written when the answer has gone.
    await holds(() => lax.logged.some((line) => line.includes('secrets/nobody')));
    expect(requests()).to.deep.equal([0, 1]);
    const set = await strict.client.call('PUT', '/debug/flags/v', { body: 3 });
    expect(set.text).to.include('set klog.logging.verbosity to 3');
    await strict.client.get(path);
    await holds(() => strict.logged.some((line) => line.includes('secrets/nobody')));
    expect(requests()).to.deep.equal([1, 1]);
  });
});

/** Waits for a condition; rejects after a minute. */
async function holds(condition: () => boolean): Promise<void> {
  for (let tries = 0; !condition(); tries++) {
    expect(tries, `still open: ${process.getActiveResourcesInfo().sort().join(', ')}`).to.be.lessThan(600);
    await new Promise((resolve) => {
      setTimeout(resolve, 100);
    });
  }
}
