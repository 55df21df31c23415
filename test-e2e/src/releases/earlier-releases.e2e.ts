import { loadRelease } from '@kubechain/apimachinery';
import { expect } from 'chai';
import { startChain, type Chain } from '../harness/chain.ts';
import { Client } from '../harness/client.ts';

const policies = '/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicies';

for (const version of ['1.34', '1.35'])
  describe(`a chain of Kubernetes ${version}`, () => {
    let chain: Chain;
    let client: Client;
    before(async () => {
      chain = await startChain({ flags: [`--kubernetes-version=${version}`] });
      client = Client.fromKubeconfig(chain.kubeconfig);
    });
    after(() => chain.stop());

    it('says so in /version', async () => {
      const release = await loadRelease(version);
      const { gitVersion } = (await client.get('/version')).body as { gitVersion: string };
      expect(gitVersion).to.equal(`${release?.gitVersion}+kubechain`);
    });

    it('serves its groups and versions, and no mutating policies, which came in 1.36', async () => {
      const release = await loadRelease(version);
      const { groups } = (await client.get('/apis')).body as { groups: { name: string }[] };
      expect(groups.map(({ name }) => name).toSorted()).to.deep.equal(
        release?.groups
          .map(({ group }) => group)
          .filter((group) => group !== '')
          .toSorted(),
      );
      expect((await client.get(policies)).status).to.equal(404);
    });

    it('refuses names of services that were allowed later, and serves no pages of statuses', async () => {
      const service = { metadata: { name: '1st' }, spec: { ports: [{ port: 80 }] } };
      const { body, status } = await client.post('/api/v1/namespaces/default/services?dryRun=All', service);
      expect(status).to.equal(422);
      expect((body as { message: string }).message).to.contain('a DNS-1035 label must consist of');
      expect((await client.get('/statusz')).status).to.equal(404);
    });

    it('has the bootstrap roles of its time', async () => {
      const role = await client.get('/apis/rbac.authorization.k8s.io/v1/clusterroles/system:monitoring');
      const { rules } = role.body as { rules: { nonResourceURLs: string[] }[] };
      expect(rules[0]?.nonResourceURLs).not.to.contain('/statusz');
    });
  });
