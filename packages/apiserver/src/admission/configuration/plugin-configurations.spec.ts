import { expect } from 'chai';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PluginConfigurations } from './plugin-configurations.ts';

describe('configurations of admission plugins', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'kubechain-admission-'));
  });
  after(() => {
    rmSync(folder, { recursive: true });
  });

  const written = (text: string, name = 'admission.yaml'): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const read = (plugins: string): PluginConfigurations =>
    PluginConfigurations.read(
      written(`apiVersion: apiserver.config.k8s.io/v1\nkind: AdmissionConfiguration\nplugins: ${plugins}\n`),
    );
  const type = { group: 'g', versions: ['v1', 'v1beta1'], kind: 'K', fields: ['a'] };

  it('are none without a file', () => {
    expect(PluginConfigurations.read('').fieldsOf('P', type)).to.deep.equal({});
  });
  it('stand in the file', () => {
    const configurations = read('[{name: P, configuration: {apiVersion: g/v1beta1, kind: K, a: 1}}]');
    expect(configurations.has('P')).to.equal(true);
    expect(configurations.fieldsOf('P', type)).to.deep.equal({ a: 1 });
    expect(configurations.fieldsOf('Q', type)).to.deep.equal({});
  });
  it('stand in files beside it', () => {
    written('{apiVersion: g/v1, kind: K, a: 2}', 'p.yaml');
    expect(read('[{name: P, path: p.yaml}]').fieldsOf('P', type)).to.deep.equal({ a: 2 });
  });
  it('may be without a type where they had none', () => {
    const old = PluginConfigurations.read(written('podNodeSelectorPluginConfig: {ns: a=b}'));
    expect(old.unversioned('PodNodeSelector')).to.deep.equal({ podNodeSelectorPluginConfig: { ns: 'a=b' } });
  });

  for (const [title, run, message] of [
    ['a file that is not there', () => PluginConfigurations.read(join(folder, 'none')), 'no such file'],
    ['no YAML', () => PluginConfigurations.read(written('{')), 'failed decoding'],
    ['a list', () => PluginConfigurations.read(written('[]')), 'must be an object'],
    [
      'another kind',
      () => PluginConfigurations.read(written('{apiVersion: v1, kind: Pod}')),
      'must be kind AdmissionConfiguration of apiserver.config.k8s.io/v1, is Pod of v1',
    ],
    ['unknown fields', () => read('[]\nplugin: 1'), 'strict decoding error: unknown field "plugin"'],
    [
      'unknown fields of a plugin',
      () => read('[{name: P, file: x}]'),
      'plugins[0].strict decoding error: unknown field "file"',
    ],
    ['no list', () => read('{}'), 'plugins must be a list'],
    ['no name', () => read('[{}]'), 'name and path of plugins[0] must be strings'],
    [
      'another configuration',
      () => read('[{name: P, configuration: {apiVersion: g/v2, kind: K}}]').fieldsOf('P', type),
      'P: no kind "K" is registered for version "g/v2"',
    ],
    [
      'fields that it does not have',
      () => read('[{name: P, configuration: {apiVersion: g/v1, kind: K, b: 1}}]').fieldsOf('P', type),
      'P: strict decoding error: unknown field "b"',
    ],
  ] as const)
    it(`refuse ${title}`, () => {
      expect(run).to.throw(message).with.property('name', 'OptionsError');
    });
});
