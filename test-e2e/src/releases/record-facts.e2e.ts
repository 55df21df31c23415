import { builtinGroups, builtinResources } from '@kubechain/apimachinery';
import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startChain, type Chain } from '../harness/chain.ts';

interface Recorded {
  readonly groups: readonly { readonly name: string; readonly versions: readonly { readonly version: string }[] }[];
  readonly resources: readonly { readonly name: string; readonly kind: string; readonly verbs: readonly string[] }[];
}

describe('recording the facts of a release', () => {
  let chain: Chain;
  let folder: string;
  const read = <T>(name: string): T => JSON.parse(readFileSync(join(folder, name), 'utf8')) as T;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'kubechain-facts-'));
    chain = await startChain();
    const script = join(import.meta.dirname, '../../../scripts/record-facts.ts');
    await promisify(execFile)(process.execPath, [script, '--kubeconfig', chain.kubeconfig, '--out', folder]);
  });
  after(async () => {
    await chain.stop();
    rmSync(folder, { recursive: true });
  });

  it('finds the groups and versions of the tables in discovery', () => {
    const { groups } = read<Record<string, Recorded>>('discovery.json')['/apis'] as Recorded;
    const served = groups.map(({ name, versions }) => ({ group: name, versions: versions.map((v) => v.version) }));
    const byName = (a: { readonly group: string }, b: { readonly group: string }): number =>
      a.group < b.group ? -1 : 1;
    expect([{ group: '', versions: ['v1'] }, ...served].toSorted(byName)).to.deep.equal(
      builtinGroups().toSorted(byName),
    );
  });

  it('finds the resources of the tables with their verbs and columns', () => {
    const discovery = read<Record<string, Recorded>>('discovery.json');
    const columns = read<Record<string, unknown>>('table-columns.json');
    const rows = builtinResources();
    expect(rows.length).to.be.greaterThan(60);
    for (const { columns: expected, group, kind, resource, verbs, version } of rows) {
      const path = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
      const found = discovery[path]?.resources.find(({ name }) => name === resource);
      expect({ kind: found?.kind, verbs: found?.verbs, columns: columns[`${path}/${resource}`] }).to.deep.equal({
        kind,
        verbs,
        columns: expected,
      });
    }
  });

  it('finds schemas without descriptions, and keeps properties of that name', () => {
    const schemas = read<Record<string, { readonly properties: Record<string, unknown> }>>('openapi-v3-schemas.json');
    expect(schemas['io.k8s.api.core.v1.Pod']).not.to.have.property('description');
    expect(schemas['io.k8s.api.scheduling.v1.PriorityClass']?.properties).to.have.property('description');
  });

  it('finds the roles of a fresh server', () => {
    expect(readFileSync(join(folder, 'rbac-bootstrap/cluster-roles.yaml'), 'utf8')).to.include('name: cluster-admin');
  });
});
