import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startRealEtcd, type RealEtcd } from '@kubechain/shared-storage/testing';
import { startChain, type Chain } from './harness/chain.ts';

const shop = join(import.meta.dirname, '../manifests/shop');

interface Result { readonly code: number; readonly stdout: string; readonly stderr: string }

/** Real kubectl against the chain, as a user runs it; the binary must be on the PATH. */
for (const store of ['the embedded store', 'a real etcd'] as const) {
  describe(`kubectl, over ${store}`, () => {
    let chain: Chain;
    let etcd: RealEtcd | undefined;
    let folder: string;

    const kubectl = (args: readonly string[], input?: string): Promise<Result> => new Promise((resolve, reject) => {
      const child = execFile('kubectl', ['--kubeconfig', chain.kubeconfig, '--cache-dir', join(folder, 'cache'), ...args], { timeout: 60_000, maxBuffer: 1 << 26, env: { ...process.env, KUBECTL_EXTERNAL_DIFF: 'diff -u' } }, (error, stdout, stderr) => {
        if (error !== null && typeof error.code !== 'number') reject(error);
        else resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr });
      });
      if (input !== undefined) child.stdin?.end(input);
    });
    const ok = async (...args: string[]): Promise<string> => {
      const { code, stdout, stderr } = await kubectl(args);
      expect(code, `kubectl ${args.join(' ')}\n${stdout}${stderr}`).to.equal(0);
      return stdout;
    };

    before(async () => {
      folder = mkdtempSync(join(tmpdir(), 'kubechain-kubectl-'));
      if (store === 'a real etcd') etcd = await startRealEtcd();
      chain = await startChain(etcd === undefined ? {} : { flags: ['--etcd-servers', etcd.endpoint] });
    });
    after(async () => {
      await chain?.stop();
      await etcd?.stop();
      rmSync(folder, { recursive: true, force: true });
    });

    it('version tells the server', async () => {
      expect(await ok('version')).to.match(/Server Version: .*v1\.36/);
    });

    it('api-resources lists every built-in resource', async () => {
      const names = (await ok('api-resources', '--no-headers', '-o', 'name')).trim().split('\n').sort();
      const { builtinResources } = await import('@kubechain/apimachinery');
      const expected = new Set(builtinResources().filter((row) => row.verbs.length > 0).map((row) => (row.group === '' ? row.resource : `${row.resource}.${row.group}`)));
      expect(names).to.deep.equal([...expected].sort());
    });

    it('applies a real application, sees it, and applies it again without a change', async () => {
      await ok('apply', '-f', join(shop, '00-namespace.yaml'), '-f', join(shop, '30-crd.yaml'));
      await ok('wait', '--for=condition=Established', '--timeout=20s', 'crd/campaigns.shop.example.com');
      const first = await ok('apply', '-f', shop);
      expect(first.trim().split('\n')).to.have.length(28);
      // Some lines say `configured`, as with any server: kubectl sends a patch for stringData, volumeClaimTemplates and the
      // like each time. Nothing may come of it.
      const versions = () => ok('get', 'all,cm,secret,sa,pvc,ing,netpol,pdb,hpa,campaigns,quota,limits,roles,rolebindings', '-n', 'shop', '-o', 'jsonpath={range .items[*]}{.kind}/{.metadata.name} {.metadata.resourceVersion}{"\\n"}{end}');
      const before = await versions();
      expect((await ok('apply', '-f', shop)).trim().split('\n')).to.have.length(28);
      expect(await versions()).to.equal(before);
      const all = await ok('get', 'all,cm,secret,sa,pvc,ing,netpol,pdb,hpa,campaigns', '-n', 'shop', '-o', 'name');
      expect(all).to.include('deployment.apps/api').and.include('statefulset.apps/database').and.include('campaign.shop.example.com/spring');
      expect(await ok('describe', 'deployment', 'api', '-n', 'shop')).to.match(/Replicas: +3 desired/);
      expect((await kubectl(['diff', '-f', shop])).code).to.equal(0);
    });

    it('creates, edits, patches, labels, annotates, scales and deletes', async () => {
      await ok('create', 'configmap', 'settings', '--from-literal=color=blue', '-n', 'shop');
      await ok('create', 'secret', 'generic', 'keys', '--from-literal=a=b', '-n', 'shop');
      expect(await ok('get', 'secret', 'keys', '-n', 'shop', '-o', 'jsonpath={.data.a}')).to.equal(Buffer.from('b').toString('base64'));
      await ok('patch', 'configmap', 'settings', '-n', 'shop', '--type=merge', '-p', '{"data":{"color":"red"}}');
      await ok('label', 'configmap', 'settings', '-n', 'shop', 'tier=front');
      await ok('annotate', 'configmap', 'settings', '-n', 'shop', 'note=hello');
      const settings = JSON.parse(await ok('get', 'cm', '-n', 'shop', '-l', 'tier=front', '-o', 'json')) as { items: { data: object; metadata: { annotations: Record<string, string> } }[] };
      expect(settings.items).to.have.length(1);
      expect(settings.items[0]?.data).to.deep.equal({ color: 'red' });
      expect(settings.items[0]?.metadata.annotations['note']).to.equal('hello');
      await ok('scale', 'deployment', 'api', '-n', 'shop', '--replicas=5');
      expect(await ok('get', 'deployment', 'api', '-n', 'shop', '-o', 'jsonpath={.spec.replicas}')).to.equal('5');
      await ok('scale', 'campaign', 'spring', '-n', 'shop', '--replicas=4');
      expect(await ok('get', 'campaign', 'spring', '-n', 'shop', '-o', 'jsonpath={.spec.banners}')).to.equal('4');
      const editor = join(folder, 'editor.sh');
      writeFileSync(editor, '#!/bin/sh\nsed -i s/red/green/ "$1"\n', { mode: 0o755 });
      process.env['KUBE_EDITOR'] = editor;
      await ok('edit', 'configmap', 'settings', '-n', 'shop');
      expect(await ok('get', 'cm', 'settings', '-n', 'shop', '-o', 'jsonpath={.data.color}')).to.equal('green');
      await ok('replace', '-f', join(shop, '10-config.yaml'));
      await ok('delete', 'configmap', 'settings', '-n', 'shop');
      expect((await kubectl(['get', 'cm', 'settings', '-n', 'shop'])).stderr).to.equal('Error from server (NotFound): configmaps "settings" not found\n');
    });

    it('watches', async () => {
      const seen = ok('get', 'cm', '-n', 'shop', '-w', '--request-timeout=4s', '-o', 'name').catch((error: unknown) => String(error));
      await new Promise((resolve) => setTimeout(resolve, 1500));
      await ok('create', 'configmap', 'watched', '-n', 'shop');
      expect(await seen).to.contain('configmap/watched');
    });

    it('applies on the server, explains, and asks what it may do', async () => {
      const manifest = readFileSync(join(shop, '50-api.yaml'), 'utf8');
      expect((await kubectl(['apply', '--server-side', '--force-conflicts', '--field-manager=ci', '-f', '-'], manifest)).stderr).to.equal('');
      expect(await ok('explain', 'deployment.spec.replicas')).to.match(/FIELD: +replicas/);
      expect(await ok('explain', 'campaign.spec.discountPercent')).to.match(/FIELD: +discountPercent/);
      expect((await ok('auth', 'can-i', 'delete', 'nodes')).trim()).to.equal('yes');
      expect((await kubectl(['auth', 'can-i', 'delete', 'nodes', '--as=nobody'])).stdout.trim()).to.equal('no');
    });

    it('deletes all of it', async () => {
      // Claims are protected until a controller lets them go, as with a bare kube-apiserver.
      await ok('delete', 'pvc', 'uploads', '-n', 'shop', '--wait=false');
      expect(await ok('get', 'pvc', 'uploads', '-n', 'shop', '-o', 'jsonpath={.metadata.finalizers}')).to.equal('["kubernetes.io/pvc-protection"]');
      await ok('patch', 'pvc', 'uploads', '-n', 'shop', '--type=merge', '-p', '{"metadata":{"finalizers":null}}');
      const removed = await ok('delete', '--ignore-not-found', '-f', join(shop, '10-config.yaml'), '-f', join(shop, '20-rbac.yaml'), '-f', join(shop, '31-custom-resources.yaml'), '-f', join(shop, '40-database.yaml'), '-f', join(shop, '50-api.yaml'), '-f', join(shop, '60-web.yaml'), '-f', join(shop, '70-jobs.yaml'), '-f', join(shop, '30-crd.yaml'), '--timeout=40s');
      expect(removed.trim().split('\n')).to.have.length(24);
      expect((await ok('get', 'deployments,statefulsets,jobs,services', '-n', 'shop', '-o', 'name')).trim()).to.equal('');
      // Nobody finalizes namespaces here: it stays Terminating, as with a bare kube-apiserver.
      await ok('delete', 'namespace', 'shop', '--wait=false');
      expect(await ok('get', 'namespace', 'shop', '-o', 'jsonpath={.status.phase}')).to.equal('Terminating');
    });
  });
}
