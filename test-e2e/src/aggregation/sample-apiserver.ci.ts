import { freePort } from '@kubechain/shared-storage/testing';
import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startChain, type Chain } from '../harness/chain.ts';
import { Client } from '../harness/client.ts';
import { startEmbeddedStore } from '../harness/embedded-store.ts';
import { goTool } from '../harness/go-tools.ts';
import { startProgram, type Program } from '../harness/program.ts';
import { registerExtension } from '../harness/register-extension.ts';

const group = 'wardle.example.com';
const flunders = `/apis/${group}/v1alpha1/namespaces/default/flunders`;
const flunder = (name: string): object => ({
  apiVersion: `${group}/v1alpha1`,
  kind: 'Flunder',
  metadata: { name, labels: { shop: 'north' } },
  spec: { reference: 'other', referenceType: 'Flunder' },
});

function run(
  command: string,
  args: readonly string[],
  cwd: string,
): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> {
  return new Promise((resolve) => {
    execFile(command, args, { cwd, maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), stdout, stderr });
    });
  });
}

/**
 * Kubernetes' own sample API server (k8s.io/apiserver) as it is: behind our aggregator, with its callers
 * authenticated and authorized by our kube-apiserver, and its objects in our embedded store.
 */
describe('k8s.io/sample-apiserver', () => {
  let folder: string;
  let program: string;
  let store: Awaited<ReturnType<typeof startEmbeddedStore>>;
  let chain: Chain;
  let server: Program;
  let port: number;
  let admin: Client;
  let direct: Client;
  const kubectl = (...args: string[]): ReturnType<typeof run> =>
    run('kubectl', ['--kubeconfig', chain.kubeconfig, ...args], folder);
  const start = (): Promise<Program> =>
    startProgram(
      program,
      [
        '--secure-port',
        String(port),
        '--bind-address',
        '127.0.0.1',
        '--cert-dir',
        join(folder, 'certs'),
        '--etcd-servers',
        store.url,
        '--kubeconfig',
        chain.kubeconfig,
        '--authentication-kubeconfig',
        chain.kubeconfig,
        '--authorization-kubeconfig',
        chain.kubeconfig,
      ],
      { ready: /Serving securely on/ },
    );

  before(async function build() {
    this.timeout(900_000);
    folder = mkdtempSync(join(tmpdir(), 'kubechain-wardle-'));
    program = await goTool('sample-apiserver');
    writeFileSync(join(folder, 'tokens.csv'), 'alicetoken,alice,alice-uid,"devs"\n');
    store = await startEmbeddedStore(join(folder, 'etcd.db'));
    chain = await startChain({ flags: ['--etcd-servers', store.url, '--token-auth-file', join(folder, 'tokens.csv')] });
    port = await freePort();
    admin = Client.fromKubeconfig(chain.kubeconfig);
    direct = new Client(`https://127.0.0.1:${port}`, { kind: 'token', token: 'alicetoken' });
    server = await start();
    await registerExtension(admin, { group, versions: ['v1beta1', 'v1alpha1'], port });
  });
  after(async () => {
    admin?.close();
    direct?.close();
    await server?.stop();
    await chain?.stop();
    await store?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('is discovered with its versions and described', async () => {
    expect(
      (await kubectl('api-resources', '--api-group', group, '-o', 'name')).stdout.trim().split('\n').sort(),
    ).to.deep.equal([`fischers.${group}`, `flunders.${group}`]);
    const { body } = await admin.get(`/apis/${group}`);
    expect([
      body.preferredVersion.version,
      body.versions.map(({ version }: { version: string }) => version),
    ]).to.deep.equal(['v1beta1', ['v1beta1', 'v1alpha1']]);
    await admin.until('/openapi/v3', ({ text }) => text.includes(`apis/${group}/v1beta1`));
    const explained = await kubectl('explain', 'flunders.spec.referenceType');
    expect(explained.stdout, explained.stderr).to.contain('The reference type.');
  });

  it('creates, converts, lists, watches, updates and deletes', async () => {
    const created = await admin.post(flunders, flunder('one'));
    expect(created.status, created.text).to.equal(201);
    expect(created.headers['warning']).to.contain('deprecated');
    const watch = await admin.watch(`${flunders}?watch=true&resourceVersion=${created.body.metadata.resourceVersion}`);
    const converted = await admin.get(`/apis/${group}/v1beta1/namespaces/default/flunders/one`);
    expect([converted.body.apiVersion, converted.body.spec]).to.deep.equal([
      `${group}/v1beta1`,
      { flunderReference: 'other', referenceType: 'Flunder' },
    ]);

    const patched = await admin.patch(`${flunders}/one`, 'merge-patch', { metadata: { labels: { shop: 'south' } } });
    expect(patched.body.metadata.labels).to.deep.equal({ shop: 'south' });
    const stale = await admin.put(`${flunders}/one`, created.body);
    expect([stale.status, stale.body.reason]).to.deep.equal([409, 'Conflict']);
    const applied = await admin.patch(`${flunders}/one?fieldManager=me&force=true`, 'apply-patch', {
      ...flunder('one'),
      metadata: { name: 'one', labels: { shop: 'west' } },
    });
    expect(applied.status, applied.text).to.equal(200);
    expect((await admin.get(`${flunders}?labelSelector=shop%3Dwest`)).body.items).to.have.length(1);
    expect((await admin.delete(`${flunders}/one`)).status).to.equal(200);
    await watch.atLeast(3);
    expect(watch.events.map(({ type, object }) => [type, object.metadata.labels.shop])).to.deep.equal([
      ['MODIFIED', 'south'],
      ['MODIFIED', 'west'],
      ['DELETED', 'west'],
    ]);
    watch.close();
  });

  it('pages through a list, and lists again for watchers that stream it', async () => {
    await Promise.all(Array.from({ length: 25 }, (_, i) => admin.post(flunders, flunder(`many-${i}`))));
    const names = new Set<string>();
    let token = '';
    do {
      const { body } = await admin.get(`${flunders}?limit=10&continue=${encodeURIComponent(token)}`);
      for (const item of body.items) names.add(item.metadata.name);
      token = body.metadata.continue ?? '';
    } while (token !== '');
    expect(names.size).to.equal(25);
    const watch = await admin.watch(
      `${flunders}?watch=true&sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan`,
    );
    await watch.atLeast(26);
    expect(watch.events.at(25)?.object.metadata.annotations).to.deep.include({ 'k8s.io/initial-events-end': 'true' });
    watch.close();
    expect((await admin.delete(flunders)).status).to.equal(200);
    expect((await admin.get(flunders)).body.items).to.deep.equal([]);
  });

  it('works with kubectl, its own admission included', async () => {
    writeFileSync(
      join(folder, 'fischer.yaml'),
      JSON.stringify({
        apiVersion: `${group}/v1alpha1`,
        kind: 'Fischer',
        metadata: { name: 'guard' },
        disallowedFlunders: ['evil'],
      }),
    );
    writeFileSync(join(folder, 'evil.yaml'), JSON.stringify(flunder('evil')));
    expect((await kubectl('apply', '-f', 'fischer.yaml')).stdout).to.equal(
      'fischer.wardle.example.com/guard created\n',
    );
    let refused = await kubectl('create', '--dry-run=server', '-f', 'evil.yaml');
    // Its admission looks into an informer, which goes through the aggregator like any client.
    for (const until = Date.now() + 60_000; refused.code === 0 && Date.now() < until;)
      refused = await kubectl('create', '--dry-run=server', '-f', 'evil.yaml');
    expect(refused.stderr).to.contain('this name may not be used, please change the resource name');
    expect((await kubectl('get', 'fischers')).stdout).to.match(/^NAME +CREATED AT\nguard +\S+\n$/);
  });

  it('asks our kube-apiserver who callers are and what they may do', async () => {
    const refused = await direct.get(flunders);
    expect([refused.status, refused.body.message]).to.deep.equal([
      403,
      `flunders.${group} is forbidden: User "alice" cannot list resource "flunders" in API group "${group}" ` +
        'in the namespace "default"',
    ]);
    const forged = await direct.get(flunders, {
      as: { kind: 'anonymous' },
      headers: { 'X-Remote-User': 'root', 'X-Remote-Group': 'system:masters' },
    });
    expect(forged.body.message).to.contain('User "system:anonymous"');
    expect(
      (await kubectl('create', 'clusterrole', 'fisher', '--verb=list', `--resource=flunders.${group}`)).code,
    ).to.equal(0);
    expect(
      (await kubectl('create', 'clusterrolebinding', 'fisher', '--clusterrole=fisher', '--user=alice')).code,
    ).to.equal(0);
    await direct.until(flunders, ({ status }) => status === 200, 60_000);
  }).timeout(120_000);

  it('finds its objects again after a restart, and goes on watching', async () => {
    const { body: first } = await admin.post(flunders, flunder('kept'));
    await server.stop();
    server = await start();
    const found = await admin.until(`${flunders}/kept`, ({ status }) => status === 200, 90_000);
    expect(found.body.metadata.uid).to.equal(first.metadata.uid);
    const { body: list } = await admin.get(flunders);
    const watch = await admin.watch(`${flunders}?watch=true&resourceVersion=${list.metadata.resourceVersion}`);
    await admin.patch(`${flunders}/kept`, 'merge-patch', { metadata: { labels: { shop: 'east' } } });
    await watch.atLeast(1);
    expect(watch.events.map(({ type, object }) => [type, object.metadata.labels.shop])).to.deep.equal([
      ['MODIFIED', 'east'],
    ]);
    watch.close();
  }).timeout(180_000);
});
