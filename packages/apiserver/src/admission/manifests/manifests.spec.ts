import { expect } from 'chai';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FieldPath, messageOf, required } from '@kubechain/apimachinery';
import { loadManifests, type LoadedManifests, type ManifestKind } from './manifest-objects.ts';
import { manifestsDirectory } from './static-manifests.ts';

const policies: readonly ManifestKind[] = ['ValidatingAdmissionPolicy', 'ValidatingAdmissionPolicyBinding'];
const policy = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: a.static.k8s.io}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [pods]}]}
  validations: [{expression: 'true'}]
`;
const binding = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: b.static.k8s.io}
spec: {policyName: a.static.k8s.io, validationActions: [Deny]}
`;
const hooks = (clientConfig: string): string => `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: h.static.k8s.io}
webhooks: [{name: w.example.com, clientConfig: ${clientConfig}, sideEffects: None, admissionReviewVersions: [v1]}]
`;

describe('manifests of admission', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'kubechain-manifests-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  const load = (
    files: Readonly<Record<string, string>>,
    kinds: readonly ManifestKind[] = policies,
  ): LoadedManifests => {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    return loadManifests(folder, { kinds, rules: undefined });
  };
  const namesOf = ({ objects }: LoadedManifests): string[] =>
    [...objects.values()].flat().map(({ metadata }) => metadata?.name ?? '');

  it('are all documents of all files that end in yaml, yml or json, but for directories', () => {
    mkdirSync(join(folder, 'more.yaml'));
    const files = { 'one.yaml': `${policy}---\n${binding}`, 'two.YML': policy.replace('a.', 'c.'), 'notes.txt': '?' };
    expect(namesOf(load(files))).to.deep.equal(['a.static.k8s.io', 'c.static.k8s.io', 'b.static.k8s.io']);
  });

  it('may be lists, of one kind or of any', () => {
    const one = {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicyList',
      items: [{ metadata: { name: 'a.static.k8s.io' }, spec: { validations: [{ expression: 'true' }] } }],
    };
    const any = { apiVersion: 'v1', kind: 'List', items: [one] };
    expect(namesOf(load({ 'list.json': JSON.stringify(any) }))).to.deep.equal(['a.static.k8s.io']);
  });

  it('have the defaults of the API', () => {
    const { objects } = load({ 'one.yaml': policy });
    const [{ spec } = {}] = objects.get('ValidatingAdmissionPolicy') ?? [];
    expect(spec).to.deep.include({ failurePolicy: 'Fail' });
    expect(spec).to.have.nested.property('matchConstraints.resourceRules[0].scope', '*');
  });

  it('have a hash of all files, which tells whether one has changed', () => {
    const { hash } = load({ 'one.yaml': policy });
    expect(hash).to.match(/^sha256:[0-9a-f]{64}$/);
    expect(load({ 'two.yaml': ' \n' }).hash).to.not.equal(hash);
  });

  it('are held to the rules that they are given', () => {
    writeFileSync(join(folder, 'one.yaml'), policy);
    const broken = () => [required(FieldPath.of('spec'), '')];
    const rules = Object.fromEntries([...policies, 'x'].map((kind) => [kind, broken]));
    expect(() => loadManifests(folder, { kinds: policies, rules: rules as never })).to.throw(
      `error loading ${join(folder, 'one.yaml')}: ValidatingAdmissionPolicy "a.static.k8s.io": spec: Required value`,
    );
  });

  const refused: readonly (readonly [what: string, file: string, kinds: readonly ManifestKind[], text: string])[] = [
    ['another kind', 'apiVersion: v1\nkind: ConfigMap\n', policies, 'unsupported resource type v1 ConfigMap'],
    ['a field that there is not', policy.replace('spec:', 'spek: {}\nspec:'), policies, 'unknown field "spek"'],
    ['no name', policy.replace('a.static.k8s.io', ''), policies, 'must have a name'],
    ['a name for the API', policy.replace('a.static.k8s.io', 'a'), policies, 'must have a name ending with ".static'],
    ['a name twice', `${policy}---\n${policy}`, policies, 'duplicate name "a.static.k8s.io" found in file'],
    [
      'params',
      policy.replace('spec:', 'spec:\n  paramKind: {apiVersion: v1, kind: ConfigMap}'),
      policies,
      'paramKind is not',
    ],
    ['a binding of nothing', binding, policies, 'which does not exist in the manifest directory'],
    ['a separator with words', `${policy}--- x\n`, policies, 'invalid Yaml document separator: x'],
    [
      'a webhook of a service',
      hooks('{service: {namespace: a, name: b}}'),
      ['ValidatingWebhookConfiguration'],
      'clientConfig.service is not supported for static manifests; use clientConfig.url instead',
    ],
    ['a webhook of nowhere', hooks('{}'), ['ValidatingWebhookConfiguration'], 'clientConfig.url is required'],
  ];
  for (const [what, file, kinds, text] of refused)
    it(`are refused with ${what}`, () => {
      expect(() => load({ 'one.yaml': file }, kinds)).to.throw(text);
    });

  it('are where an absolute path says, and where the feature gate is on', () => {
    const problemOf = (directory: unknown, enabled = true): string => {
      try {
        return String(manifestsDirectory('P', directory, enabled));
      } catch (error) {
        return messageOf(error).replace('--admission-control-config-file: P: staticManifestsDir: ', '');
      }
    };
    writeFileSync(join(folder, 'file'), '');
    expect(
      [
        problemOf(''),
        problemOf(folder),
        problemOf(folder, false),
        problemOf('here'),
        problemOf(join(folder, 'no')),
      ].map((text) => text.replaceAll(folder, 'DIR')),
    ).to.deep.equal([
      'undefined',
      'DIR',
      'Forbidden: staticManifestsDir requires the ManifestBasedAdmissionControlConfig feature gate to be enabled',
      'Invalid value: "here": must be an absolute file path',
      'Invalid value: "DIR/no": unable to read: stat DIR/no: no such file or directory',
    ]);
    expect(problemOf(join(folder, 'file'))).to.contain('must be a directory');
  });
});
