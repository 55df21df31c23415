import { expect } from 'chai';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KubectlObject, KubectlSuite } from './kubectl.ts';

const namespace = 'apply';

/** apply in all its ways: from the client and on the server, diff, prune, apply sets, kustomize, validation. */
export const applying: KubectlSuite = (k, minor) => {
  const ok = (args: string | readonly string[], input?: string) =>
    k().ok(['-n', namespace, ...(typeof args === 'string' ? args.split(' ') : args)], input);
  const fails = (args: string, input?: string) => k().fails(['-n', namespace, ...args.split(' ')], input);
  const map = (name: string, data: Record<string, string>, labels?: Record<string, string>): string =>
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, labels },
      data: Object.keys(data).length === 0 ? undefined : data,
    });
  const list = (...items: readonly string[]): string => `{"apiVersion":"v1","kind":"List","items":[${items.join()}]}`;
  const data = async (name: string): Promise<unknown> =>
    (await k().json(['-n', namespace, 'get', 'configmap', name])).data;

  before(() => k().ok(`create namespace ${namespace}`));

  it('merges three ways from the client', async () => {
    expect(await ok('apply -f -', map('client', { a: '1', b: '2' }))).to.equal('configmap/client created\n');
    await ok(['patch', 'configmap', 'client', '-p', '{"data":{"c":"3"}}']);
    expect(await ok('apply -f -', map('client', { a: '1' }))).to.equal('configmap/client configured\n');
    expect(await data('client')).to.deep.equal({ a: '1', c: '3' });
    expect(await ok('apply -f -', map('client', { a: '1' }))).to.equal('configmap/client unchanged\n');
    expect(await ok('apply view-last-applied configmap/client')).to.include('a: "1"');
    await ok('apply set-last-applied -f -', map('client', { c: '3' }));
    expect(await ok('apply -f -', map('client', { a: '1' }))).to.equal('configmap/client configured\n');
    expect(await data('client')).to.deep.equal({ a: '1' });
  });

  it('applies on the server, with owners and conflicts', async () => {
    expect(await ok('apply --server-side --field-manager=one -f -', map('server', { a: '1' }))).to.equal(
      'configmap/server serverside-applied\n',
    );
    expect(await fails('apply --server-side --field-manager=two -f -', map('server', { a: '2' }))).to.match(
      /Apply failed with 1 conflict: conflict with "one": \.data\.a/,
    );
    await ok('apply --server-side --field-manager=two --force-conflicts -f -', map('server', { a: '2' }));
    expect(await data('server')).to.deep.equal({ a: '2' });
    await ok('apply --server-side --field-manager=two -f -', map('server', {}));
    expect(await data('server')).to.deep.equal(undefined);
    const shown = minor >= 21 ? ['--show-managed-fields'] : [];
    const { metadata } = await k().json<KubectlObject>(['-n', namespace, 'get', 'configmap', 'server', ...shown]);
    expect((metadata.managedFields ?? []).every(({ operation }) => operation === 'Apply')).to.equal(true);
    // From the client to the server: what the client applied is taken over.
    await ok('apply -f -', map('moved', { a: '1', b: '1' }));
    await ok('apply --server-side --force-conflicts -f -', map('moved', { a: '1' }));
    if (minor >= 26) expect(await data('moved')).to.deep.equal({ a: '1' });
  });

  it('shows the difference', async () => {
    expect((await k().run(['-n', namespace, 'diff', '-f', '-'], map('client', { a: '1' }))).code).to.equal(0);
    for (const side of [[], ['--server-side', '--force-conflicts']]) {
      const { code, stdout } = await k().run(
        ['-n', namespace, 'diff', ...side, '-f', '-'],
        map('client', { a: 'changed' }),
      );
      expect(code).to.equal(1);
      expect(stdout)
        .to.match(/^-\s+a: "1"$/m)
        .and.match(/^\+\s+a: changed$/m);
    }
    expect((await k().run(['-n', namespace, 'diff', '-f', '-'], map('new', { a: '1' }))).stdout).to.include(
      '+  name: new',
    );
  });

  it('tries on the server without storing', async () => {
    expect(await ok('apply --dry-run=server -f -', map('dry', { a: '1' }))).to.equal(
      'configmap/dry created (server dry run)\n',
    );
    expect(await fails('get configmap dry')).to.include('not found');
    expect(await ok('apply --server-side --dry-run=server -f -', map('dry', { a: '1' }))).to.equal(
      'configmap/dry serverside-applied (server dry run)\n',
    );
  });

  it('refuses what the schema does not know', async () => {
    const unknown = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"unknown"},"dat":{"a":"b"}}';
    expect(await fails('apply -f -', unknown)).to.match(
      minor >= 27 ? /strict decoding error: unknown field "dat"/ : /unknown field "dat"/,
    );
    const loose = minor >= 25 ? '--validate=warn' : '--validate=false';
    expect(await ok(['apply', loose, '-f', '-'], unknown)).to.equal('configmap/unknown created\n');
    expect(
      await fails('apply -f -', '{"apiVersion":"none.example.com/v1","kind":"None","metadata":{"name":"x"}}'),
    ).to.match(/no matches for kind "None" in version "none.example.com\/v1"/);
  });

  // Before, kubectl looks for versions that are no more.
  if (minor >= 25)
    it('prunes by label', async () => {
      await ok('apply -f -', list(map('kept', {}, { pruned: 'yes' }), map('dropped', {}, { pruned: 'yes' })));
      expect(await ok('apply --prune -l pruned=yes -f -', map('kept', {}, { pruned: 'yes' }))).to.include(
        'configmap/dropped pruned',
      );
      expect(await ok('get configmap -l pruned=yes -o name')).to.equal('configmap/kept\n');
    });

  if (minor >= 27) {
    it('prunes by apply set', async () => {
      const alpha = { KUBECTL_APPLYSET: 'true' };
      const apply = (input: string) =>
        k().ok(['-n', namespace, 'apply', '--prune', '--applyset=app', '-f', '-'], input, alpha);
      await apply(list(map('set-a', {}), map('set-b', {})));
      expect(await apply(map('set-a', {}))).to.include('configmap/set-b pruned');
      const { metadata } = await k().json(['-n', namespace, 'get', 'secret', 'app']);
      expect(metadata.labels?.['applyset.kubernetes.io/id']).to.match(/^applyset-/);
    });
  }

  it('builds with kustomize', async () => {
    const folder = join(k().folder, 'kustomize');
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, 'kustomization.yaml'),
      'namePrefix: pre-\nresources: [deployment.yaml]\nconfigMapGenerator: [{ name: made, literals: [a=b] }]\n',
    );
    writeFileSync(
      join(folder, 'deployment.yaml'),
      'apiVersion: apps/v1\nkind: Deployment\nmetadata: { name: web }\nspec: { selector: { matchLabels: { a: ' +
        'b } }, template: { metadata: { labels: { a: b } }, spec: { containers: [{ name: c, image: nginx, ' +
        'envFrom: [{ configMapRef: { name: made } }] }] } } }\n',
    );
    expect(await k().ok(['kustomize', folder])).to.include('name: pre-web');
    expect(await ok(['apply', '-k', folder])).to.match(
      /configmap\/pre-made-\w+ created\ndeployment.apps\/pre-web created/,
    );
    expect((await k().run(['-n', namespace, 'diff', '-k', folder])).code).to.equal(0);
    await ok(['delete', '-k', folder]);
  });

  it('applies lists, folders and generated names one after the other', async () => {
    expect((await ok('apply -f -', list(map('listed-a', {}), map('listed-b', {})))).trim().split('\n')).to.have.length(
      2,
    );
    expect(
      await ok('create -f -', '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"generateName":"generated-"}}'),
    ).to.match(/configmap\/generated-\w{5} created/);
  });
};
