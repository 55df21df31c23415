import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KubectlSuite } from './kubectl.ts';

const shop = join(import.meta.dirname, '../../manifests/shop');

/** A real application: applied, applied again, seen, changed and removed. */
export const shopping: KubectlSuite = (k) => {
  it('applies it, sees it, and applies it again without a change', async () => {
    await k().ok(['apply', '-f', join(shop, '00-namespace.yaml'), '-f', join(shop, '30-crd.yaml')]);
    await k().ok('wait --for=condition=Established --timeout=20s crd/campaigns.shop.example.com');
    const first = await k().ok(['apply', '-f', shop]);
    expect(first.trim().split('\n')).to.have.length(28);
    // Some lines say `configured`, as with any server: kubectl sends a patch for stringData, volumeClaimTemplates and
    // the
    // like each time. Nothing may come of it.
    const versions = () =>
      k().ok([
        'get',
        'all,cm,secret,sa,pvc,ing,netpol,pdb,hpa,campaigns,quota,limits,roles,rolebindings',
        '-n',
        'shop',
        '-o',
        'jsonpath={range .items[*]}{.kind}/{.metadata.name} {.metadata.resourceVersion}{"\\n"}{end}',
      ]);
    const before = await versions();
    expect((await k().ok(['apply', '-f', shop])).trim().split('\n')).to.have.length(28);
    expect(await versions()).to.equal(before);
    const all = await k().ok('get all,cm,secret,sa,pvc,ing,netpol,pdb,hpa,campaigns -n shop -o name');
    expect(all)
      .to.include('deployment.apps/api')
      .and.include('statefulset.apps/database')
      .and.include('campaign.shop.example.com/spring');
    expect(await k().ok('describe deployment api -n shop')).to.match(/Replicas: +3 desired/);
    expect((await k().run(['diff', '-f', shop])).code).to.equal(0);
  });

  it('scales, replaces and applies parts of it on the server', async () => {
    await k().ok('scale campaign spring -n shop --replicas=4');
    expect(await k().ok('get campaign spring -n shop -o jsonpath={.spec.banners}')).to.equal('4');
    await k().ok(['replace', '-f', join(shop, '10-config.yaml')]);
    const manifest = readFileSync(join(shop, '50-api.yaml'), 'utf8');
    expect(
      (await k().run(['apply', '--server-side', '--force-conflicts', '--field-manager=ci', '-f', '-'], manifest))
        .stderr,
    ).to.equal('');
    expect(await k().ok('explain campaign.spec.discountPercent')).to.match(/FIELD: +discountPercent/);
  });

  it('deletes all of it', async () => {
    // Claims are protected until a controller lets them go, as with a bare kube-apiserver.
    await k().ok('delete pvc uploads -n shop --wait=false');
    expect(await k().ok('get pvc uploads -n shop -o jsonpath={.metadata.finalizers}')).to.equal(
      '["kubernetes.io/pvc-protection"]',
    );
    await k().ok(['patch', 'pvc', 'uploads', '-n', 'shop', '--type=merge', '-p', '{"metadata":{"finalizers":null}}']);
    const files = [
      '10-config',
      '20-rbac',
      '31-custom-resources',
      '40-database',
      '50-api',
      '60-web',
      '70-jobs',
      '30-crd',
    ];
    const removed = await k().ok([
      'delete',
      '--ignore-not-found',
      ...files.flatMap((file) => ['-f', join(shop, `${file}.yaml`)]),
      '--timeout=40s',
    ]);
    expect(removed.trim().split('\n')).to.have.length(24);
    expect((await k().ok('get deployments,statefulsets,jobs,services -n shop -o name')).trim()).to.equal('');
  });
};
