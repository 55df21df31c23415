import { expect } from 'chai';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startChain, type Chain } from '../harness/chain.ts';
import { Client } from '../harness/client.ts';

const group = 'admissionregistration.k8s.io';
const policies = `/apis/${group}/v1/validatingadmissionpolicies`;
const configMaps = '/api/v1/namespaces/default/configmaps';

/** A policy and its binding: what is called `forbidden` is refused, whatever it is. */
function manifests(name: string, forbidden: string): string {
  const rule = { apiGroups: ['*'], apiVersions: ['*'], operations: ['CREATE'], resources: ['*'] };
  const objects = [
    {
      apiVersion: `${group}/v1`,
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name },
      spec: {
        matchConstraints: { resourceRules: [rule] },
        validations: [
          { expression: `!object.metadata.name.endsWith('${forbidden}')`, message: `no ${forbidden} here` },
        ],
      },
    },
    {
      apiVersion: `${group}/v1`,
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name },
      spec: { policyName: name, validationActions: ['Deny'] },
    },
  ];
  return objects.map((object) => JSON.stringify(object)).join('\n---\n');
}

/** One of the API. */
const spec = {
  validations: [{ expression: 'true' }],
  matchConstraints: {
    resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
  },
};

describe('admission policies of files', () => {
  let folder: string;
  let directory: string;
  let configuration: string;
  let chain: Chain;
  let client: Client;
  const gate = '--feature-gates=ManifestBasedAdmissionControlConfig=true';
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'kubechain-manifests-'));
    directory = join(folder, 'policies');
    mkdirSync(directory);
    configuration = join(folder, 'admission.yaml');
    writeFileSync(
      configuration,
      JSON.stringify({
        apiVersion: 'apiserver.config.k8s.io/v1',
        kind: 'AdmissionConfiguration',
        plugins: [
          {
            name: 'ValidatingAdmissionPolicy',
            configuration: {
              apiVersion: 'apiserver.config.k8s.io/v1',
              kind: 'ValidatingAdmissionPolicyConfiguration',
              staticManifestsDir: directory,
            },
          },
        ],
      }),
    );
    writeFileSync(join(directory, 'one.yaml'), manifests('one.static.k8s.io', 'forbidden'));
    chain = await startChain({ flags: [gate, `--admission-control-config-file=${configuration}`] });
    client = Client.fromKubeconfig(chain.kubeconfig);
  });
  after(async () => {
    client?.close();
    await chain?.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  const message = async (path: string, body: object): Promise<string> => (await client.post(path, body)).body.message;

  it('are in force from the first request on, in every server of the chain', async () => {
    const denied = "ValidatingAdmissionPolicy 'one.static.k8s.io' with binding 'one.static.k8s.io' denied request: ";
    expect(await message(configMaps, { metadata: { name: 'forbidden' } })).to.equal(
      `configmaps "forbidden" is forbidden: ${denied}no forbidden here`,
    );
    const service = {
      metadata: { name: 'v1.forbidden' },
      spec: { group: 'forbidden', version: 'v1', groupPriorityMinimum: 1, versionPriority: 1 },
    };
    expect(await message('/apis/apiregistration.k8s.io/v1/apiservices', service)).to.contain(denied);
    expect((await client.post(configMaps, { metadata: { name: 'allowed' } })).status).to.equal(201);
  });

  it('guard the configurations of admission, which those of the API never see', async () => {
    expect(await message(policies, { metadata: { name: 'forbidden' }, spec })).to.contain('no forbidden here');
  });

  it('have names that the API refuses', async () => {
    expect(await message(policies, { metadata: { name: 'x.static.k8s.io' }, spec })).to.equal(
      'ValidatingAdmissionPolicy.admissionregistration.k8s.io "x.static.k8s.io" is invalid: metadata.name: Invalid ' +
        'value: "x.static.k8s.io": names ending with ".static.k8s.io" are reserved for static manifest-based ' +
        'configurations and cannot be managed via the API',
    );
  });

  it('change with their files, and stay as they were where those cannot be used', async () => {
    writeFileSync(join(directory, 'broken.yaml'), 'apiVersion: v1\nkind: Secret\n');
    writeFileSync(join(directory, 'one.yaml'), manifests('one.static.k8s.io', 'unwanted'));
    const failed =
      /automatic_reloads_total\{status="failure",plugin="ValidatingAdmissionPolicy",apiserver_id_hash="[^"]*"\} \d/;
    await client.until('/metrics', ({ text }) => failed.test(text));
    expect(await message(configMaps, { metadata: { name: 'forbidden' } })).to.contain('no forbidden here');
    rmSync(join(directory, 'broken.yaml'));
    // Whatever is left of the others: this one asks without writing.
    const until = async (name: string, status: number): Promise<void> => {
      for (const deadline = Date.now() + 60_000; Date.now() < deadline;) {
        const answer = await client.post(`${configMaps}?dryRun=All`, { metadata: { name } });
        if (answer.status === status) return;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      expect.fail(`${name} is not answered with ${status}`);
    };
    await until('unwanted', 422);
    await until('forbidden', 201);
  });
});
