import { expect } from 'chai';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readManifests } from './read-manifests.ts';

describe('manifests for tests', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'kubechain-manifests-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });
  const object = (name: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n`;
  const names = (source: string): string[] => readManifests(source).map(({ metadata }) => metadata.name);

  it('come from text: documents, empty ones, lists, JSON', () => {
    expect(names(`${object('a')}---\n---\n# nothing\n---\n${object('b')}`)).to.deep.equal(['a', 'b']);
    expect(
      names(
        '{"apiVersion": "v1", "kind": "List", "items": [{"apiVersion": "v1", "kind": "X", "metadata": {"name": "c"}}]}',
      ),
    ).to.deep.equal(['c']);
  });
  it('come from files and folders, by name, without kustomizations', () => {
    mkdirSync(join(folder, 'bases'));
    writeFileSync(join(folder, 'b.yaml'), object('b'));
    writeFileSync(join(folder, 'bases/a.yml'), object('a'));
    writeFileSync(join(folder, 'kustomization.yaml'), 'kind: Kustomization\nresources: [b.yaml]\n');
    writeFileSync(join(folder, 'README.md'), 'no: object\n');
    expect(names(folder)).to.deep.equal(['b', 'a']);
    expect(names(join(folder, 'b.yaml'))).to.deep.equal(['b']);
  });
  it('say which file is wrong', () => {
    writeFileSync(join(folder, 'x.yaml'), 'kind: X\n');
    expect(() => names(folder)).to.throw(
      `${join(folder, 'x.yaml')}: not an object with apiVersion, kind and metadata.name`,
    );
    expect(() => names('config/crd')).to.throw("'config/crd': no such file or folder");
    writeFileSync(join(folder, 'x.yaml'), 'a: [\n');
    expect(() => names(folder)).to.throw(join(folder, 'x.yaml'));
  });
});
