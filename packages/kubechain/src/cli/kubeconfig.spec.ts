import { expect } from 'chai';
import { lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { kubeconfigText } from '../pki/kubeconfig.ts';
import { mergeKubeconfig } from './kubeconfig.ts';
import type { Output } from './output.ts';

describe('a kubeconfig that is merged', () => {
  interface Merged {
    readonly users: readonly { readonly name: string; readonly user: object }[];
    readonly clusters: readonly { readonly name: string }[];
    readonly contexts: readonly object[];
    readonly 'current-context': string;
  }
  const output: Output = { json: false, result: () => undefined, colour: (_, text) => text };
  const before = process.env['KUBECONFIG'];
  let folder: string;
  let target: string;
  const merge = (name: string): Merged => {
    mergeKubeconfig(join(folder, 'data'), output, name);
    return parse(readFileSync(target, 'utf8')) as Merged;
  };

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'kubechain-merge-'));
    target = join(folder, '.kube/config');
    process.env['KUBECONFIG'] = target;
    mkdirSync(join(folder, 'data'));
    const client = { cert: 'cert', key: 'key' };
    const text = kubeconfigText({ server: 'https://127.0.0.1:6443', caCertificate: 'ca', client });
    writeFileSync(join(folder, 'data/admin.kubeconfig'), text);
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
    if (before === undefined) delete process.env['KUBECONFIG'];
    else process.env['KUBECONFIG'] = before;
  });

  it('is written where there was none', () => {
    const merged = merge('kubechain');
    expect(merged['current-context']).to.equal('kubechain');
    expect(merged.contexts).to.deep.equal([
      { name: 'kubechain', context: { cluster: 'kubechain', user: 'kubechain' } },
    ]);
  });

  it('leaves users of the same name to other clusters, and links as they are', () => {
    mkdirSync(join(folder, '.kube'));
    const theirs = { name: 'kubernetes-admin', user: { token: 'of kubeadm' } };
    writeFileSync(join(folder, 'own'), stringify({ users: [theirs] }));
    symlinkSync(join(folder, 'own'), target);
    expect(merge('kubechain').users[0]).to.deep.equal(theirs);
    expect(lstatSync(target).isSymbolicLink()).to.equal(true);
  });

  it('takes the place of what had its name', () => {
    merge('kubechain');
    merge('other');
    const names = merge('kubechain').clusters.map(({ name }) => name);
    expect(names).to.deep.equal(['other', 'kubechain']);
  });

  it('is not written over what is no YAML', () => {
    mkdirSync(join(folder, '.kube'));
    writeFileSync(target, '{bad');
    expect(() => merge('kubechain')).to.throw(`cannot read '${target}': `);
    expect(readFileSync(target, 'utf8')).to.equal('{bad');
  });
});
