import { expect } from 'chai';
import { startChain, type Chain } from '../harness/chain.ts';
import { Client } from '../harness/client.ts';

const group = 'admissionregistration.k8s.io';
const configMaps = '/api/v1/namespaces/default/configmaps';

describe('params of policies that are custom resources', function () {
  this.timeout(120_000);
  let chain: Chain;
  let client: Client;
  before(async () => {
    chain = await startChain();
    client = Client.fromKubeconfig(chain.kubeconfig);
  });
  after(() => chain.stop());

  /** What is answered once it is no longer that params are not known yet. */
  async function created(name: string): Promise<string> {
    for (let tries = 0; ; tries++) {
      const { status, text } = await client.post(configMaps, { metadata: { name } });
      if (tries === 300 || !/not yet synced|no params found|not known/.test(text)) return `${status} ${text}`;
      await new Promise((go) => setTimeout(go, 100));
    }
  }

  it('are found where custom resources are kept', async () => {
    const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    await client.post(crds, {
      metadata: { name: 'foos.cr.bar.com' },
      spec: {
        group: 'cr.bar.com',
        scope: 'Namespaced',
        names: { plural: 'foos', kind: 'Foo' },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
      },
    });
    await client.until('/apis/cr.bar.com/v1/namespaces/default/foos', ({ status }) => status === 200);
    expect(
      (
        await client.post('/apis/cr.bar.com/v1/namespaces/default/foos', {
          apiVersion: 'cr.bar.com/v1',
          kind: 'Foo',
          metadata: { name: 'test' },
        })
      ).status,
    ).to.equal(201);
    await client.post(`/apis/${group}/v1/validatingadmissionpolicies`, {
      metadata: { name: 'p' },
      spec: {
        paramKind: { apiVersion: 'cr.bar.com/v1', kind: 'Foo' },
        matchConstraints: {
          resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
        },
        validations: [{ expression: 'object.metadata.name.startsWith(params.metadata.name)', message: 'wrong prefix' }],
      },
    });
    await client.post(`/apis/${group}/v1/validatingadmissionpolicybindings`, {
      metadata: { name: 'b' },
      spec: {
        policyName: 'p',
        paramRef: { name: 'test', parameterNotFoundAction: 'Deny' },
        validationActions: ['Deny'],
      },
    });
    await client.until(`/apis/${group}/v1/validatingadmissionpolicybindings/b`, ({ status }) => status === 200);
    for (let tries = 0; tries < 100; tries++) {
      if (!(await created(`wrong-${tries}`)).startsWith('201')) break;
    }
    expect(await created('wrong')).to.contain('wrong prefix');
    expect(await created('test-x')).to.match(/^201 /);
  });
});
