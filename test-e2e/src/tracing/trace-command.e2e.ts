import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { startChain, type Chain } from '../harness/chain.ts';
import { Client } from '../harness/client.ts';

const bin = fileURLToPath(new URL('../../../packages/kubechain/bin/kubechain.js', import.meta.url));
const root = fileURLToPath(new URL('../../..', import.meta.url));

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function kubechain(...args: readonly string[]): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(process.execPath, [bin, ...args], { cwd: root, encoding: 'utf8' }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

/** A client of the library that most programs for Node use. */
const program = `
  import { CoreV1Api, KubeConfig } from '@kubernetes/client-node';
  const config = new KubeConfig();
  config.loadFromDefault();
  const api = config.makeApiClient(CoreV1Api);
  await api.createNamespacedConfigMap({ namespace: 'default', body: { metadata: { name: 'traced' } } });
  const { items } = await api.listNamespacedConfigMap({ namespace: 'default' });
  console.log(items.map(({ metadata }) => metadata.name).join());
  process.exitCode = 7;
`;

describe('kubechain trace', function () {
  this.timeout(120_000);
  let chain: Chain;
  let client: Client;
  let noise: NodeJS.Timeout;

  before(async () => {
    chain = await startChain({ flags: ['--ui'] });
    client = Client.fromKubeconfig(chain.kubeconfig);
    // What others ask meanwhile is not the command's.
    noise = setInterval(() => void client.get('/api/v1/namespaces/default/secrets').catch(() => undefined), 200);
  });
  after(async () => {
    clearInterval(noise);
    await chain.stop();
  });

  const steps = (waterfall: string, name: string): string[] =>
    waterfall.split('\n').filter((line) => line.trim().startsWith(`${name} `));

  it('draws the way of each request of a command through the processes, and nobody else’s', async () => {
    const ended = await kubechain(
      'trace',
      '--data-dir',
      chain.dataDir,
      '--',
      process.execPath,
      '--input-type=module',
      '--eval',
      program,
    );
    expect(ended.code, ended.stderr).to.equal(7);
    expect(ended.stdout).to.contain('traced');
    const drawn = ended.stderr.split('\n\n').map((text) => text.trim());
    expect(drawn.map((text) => text.split('  ')[0])).to.deep.equal([
      'POST /api/v1/namespaces/default/configmaps',
      'GET /api/v1/namespaces/default/configmaps',
    ]);
    for (const waterfall of drawn) {
      expect(waterfall).to.match(/^(POST .* 201|GET .* 200) {2}[\d.]+ ms\n {2}kubernetes-admin by client certificate /);
      for (const name of ['aggregator', 'hop', 'kube-apiserver', 'storage'])
        expect(steps(waterfall, name), waterfall).to.have.length(1);
    }
    expect(steps(drawn[0] ?? '', 'admission')).to.have.length.at.least(1);
  });

  it('waits for a request with an audit id', async () => {
    const auditID = '7d1c4c3e-8a3c-4b65-9a4e-0d6f0a1b2c3d';
    const asking = setInterval(() => {
      void client
        .get('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { headers: { 'Audit-ID': auditID } })
        .catch(() => undefined);
    }, 300);
    const ended = await kubechain('trace', '--data-dir', chain.dataDir, '--output', 'json', auditID);
    clearInterval(asking);
    expect(ended.code, ended.stderr).to.equal(0);
    const [parts] = JSON.parse(ended.stdout) as Record<string, { auditID: string; code: number }>[];
    expect(Object.keys(parts ?? {})).to.have.members(['aggregator', 'kube-apiserver', 'apiextensions']);
    for (const part of Object.values(parts ?? {})) expect(part).to.include({ auditID, code: 200 });
  });

  it('says what is missing', async () => {
    const silent = await kubechain('trace', '--data-dir', chain.dataDir, '--', process.execPath, '--eval', '');
    expect([silent.code, silent.stderr.trim()]).to.deep.equal([
      0,
      'no request came by KUBECONFIG and the proxy-url in it',
    ]);
    const nowhere = await kubechain('trace', '--data-dir', `${chain.dataDir}/none`, '--', 'true');
    expect(nowhere.code).to.equal(1);
    expect(nowhere.stderr).to.contain('start one with kubechain up --ui');
  });
});
