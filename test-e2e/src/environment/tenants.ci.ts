import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { startTestEnvironment, type TestEnvironment, type TestTenant } from 'kubechain/testing';
import { kubectlBinaries } from '../kubectl/kubectl.ts';

const boats = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: boats.sea.example.com }
spec:
  group: sea.example.com
  scope: Namespaced
  names: { plural: boats, kind: Boat }
  versions:
    - name: v1
      served: true
      storage: true
      schema: 
        openAPIV3Schema: { type: object, description: What floats., x-kubernetes-preserve-unknown-fields: true }
`;

// The one on the PATH: what differs between releases is not the way to a tenant.
for (const binary of kubectlBinaries().slice(0, 1))
  describe(`tenants with ${binary.name}`, function () {
    this.timeout(300_000);
    let env: TestEnvironment;
    let a: TestTenant;
    let b: TestTenant;
    const ask = async ({ kubeconfig }: TestTenant, ...args: string[]): Promise<string> =>
      (await promisify(execFile)(await binary.path(), [`--kubeconfig=${kubeconfig}`, ...args])).stdout;

    before(async () => {
      env = await startTestEnvironment({ control: true });
      a = await env.tenant('a');
      b = await env.tenant('b');
      await a.install(boats);
    });
    after(() => env.stop());

    it('has discovery below the path of the tenant', async () => {
      await a.install('{ apiVersion: sea.example.com/v1, kind: Boat, metadata: { name: ann, namespace: default } }');
      expect(await ask(a, 'get', 'boats', '-o', 'name')).to.equal('boat.sea.example.com/ann\n');
      const refused = await ask(b, 'get', 'boats').catch(
        (error: unknown) => (error as { readonly stderr: string }).stderr,
      );
      expect(refused).to.include('the server doesn\'t have a resource type "boats"');
    });

    it('has OpenAPI below it, of the tenant’s own definitions', async () => {
      expect(await ask(a, 'explain', 'boats')).to.include('What floats.');
    });

    it('creates, waits and deletes in one of them', async () => {
      expect(await ask(b, 'create', 'configmap', 'mine', '-o', 'name')).to.equal('configmap/mine\n');
      expect(await ask(a, 'get', 'configmap', 'mine', '--ignore-not-found')).to.equal('');
      expect(await ask(b, 'delete', 'configmap', 'mine')).to.include('deleted');
    });
  });
