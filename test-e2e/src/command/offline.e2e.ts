import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const bin = join(import.meta.dirname, '../../../packages/kubechain/bin/kubechain.js');

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly error: string;
}

/** Runs the command in a folder. */
function kubechain(cwd: string, args: readonly string[], input = ''): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [bin, ...args], { cwd });
    let out = '';
    let error = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (error += text));
    child.once('error', reject);
    child.once('close', (code) => {
      resolve({ code, out, error });
    });
    child.stdin.end(input);
  });
}

const manifests = `apiVersion: v1
kind: Pod
metadata: {name: unknown-field}
spec:
  containers:
    - name: a
      imag: a
---
apiVersion: v1
kind: Pod
metadata: {name: bad-port}
spec:
  containers:
    - name: a
      image: a
      ports:
        - containerPort: 99999
---
apiVersion: sea.example.com/v1
kind: Boat
metadata: {name: a}
spec:
  size: big
---
apiVersion: sea.example.com/v1
kind: Ship
metadata: {name: a}
---
apiVersion: v1
kind: Pod
metadata: {name: root, namespace: strict}
spec: {containers: [{name: a, image: a, securityContext: {privileged: true}}]}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: forbidden}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: twice}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: twice}
---
apiVersion: v1
kind: Endpoints
metadata: {name: old}
---
a: [
`;
const definitions = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: boats.sea.example.com}
spec:
  group: sea.example.com
  scope: Namespaced
  names: {plural: boats, kind: Boat}
  versions:
    - name: v1
      served: true
      storage: true
      schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {size: {type: integer}}}}}}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: names}
spec:
  matchConstraints: {resourceRules: [{apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}]}
  validations: [{expression: "object.metadata.name != 'forbidden'", message: not this name}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: names}
spec: {policyName: names, validationActions: [Deny]}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: nobody-there}
webhooks:
  - name: nobody.there.example.com
    clientConfig: {url: 'https://127.0.0.1:1/'}
    sideEffects: None
    admissionReviewVersions: [v1]
    rules: [{apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['*']}]
---
apiVersion: v1
kind: Namespace
metadata: {name: strict, labels: {pod-security.kubernetes.io/enforce: baseline}}
`;
const roles = `apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: reader, namespace: a}
rules: [{apiGroups: [apps], resources: [deployments], verbs: [get]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: readers, namespace: a}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: reader}
subjects: [{kind: ServiceAccount, name: robot, namespace: a}]
`;

describe('judging files', function () {
  this.timeout(120_000);
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'kubechain-offline-'));
    writeFileSync(join(folder, 'objects.yaml'), manifests);
    writeFileSync(join(folder, 'definitions.yaml'), definitions);
    writeFileSync(join(folder, 'roles.yaml'), roles);
  });
  after(() => {
    rmSync(folder, { recursive: true });
  });

  it('finds what the servers would, with its place', async () => {
    const { code, error, out } = await kubechain(folder, ['validate', '.']);
    expect(error).to.equal('');
    const lines = out.trimEnd().split('\n');
    expect(lines.map((line) => line.replace(/^objects\.yaml:/, ''))).to.deep.equal([
      '51:1: error: Flow sequence in block collection must be sufficiently indented and end with a ] at line ' +
        '51, column 1:',
      '7:7: error: v1 Pod unknown-field: unknown field "spec.containers[0].imag"',
      '17:11: error: v1 Pod bad-port: spec.containers[0].ports[0].containerPort: Invalid value: 99999: must ' +
        'be between 1 and 65535, inclusive',
      '23:3: error: sea.example.com/v1 Boat a: spec.size: Invalid value: "string": spec.size in body must be ' +
        'of type integer: "string"',
      '26:1: error: sea.example.com/v1 Ship a: no matches for kind "Ship" in version "sea.example.com/v1"',
      '29:1: error: v1 Pod strict/root: pods "root" is forbidden: violates PodSecurity "baseline:latest": ' +
        'privileged (container "a" must not set securityContext.privileged=true)',
      '34:1: error: v1 ConfigMap forbidden: configmaps "forbidden" is forbidden: ValidatingAdmissionPolicy ' +
        `'names' with binding 'names' denied request: not this name`,
      '44:12: error: v1 ConfigMap twice: is there already: objects.yaml:38',
      '46:1: warning: v1 Endpoints old: v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
      '17 objects, 8 errors, 1 warnings',
    ]);
    expect(code).to.equal(1);
  });

  it('reads standard input, takes what is right, and counts warnings when asked to', async () => {
    const endpoints = 'apiVersion: v1\nkind: Endpoints\nmetadata: {name: old}\n';
    expect((await kubechain(folder, ['validate', '-'], endpoints)).code).to.equal(0);
    expect((await kubechain(folder, ['validate', '-', '--fail-on-warnings'], endpoints)).code).to.equal(1);
  });

  it('holds namespaces to a standard, and leaves out kinds that nobody knows', async () => {
    const stream = `apiVersion: v1
kind: Pod
metadata: {name: root}
spec: {containers: [{name: a, image: a, securityContext: {privileged: true}}]}
---
apiVersion: nobody.example.com/v1
kind: Thing
metadata: {name: a}
`;
    const free = await kubechain(folder, ['validate', '-', '--ignore-missing'], stream);
    expect([free.code, free.out]).to.deep.equal([0, '2 objects, 0 errors, 0 warnings\n']);
    const held = await kubechain(folder, ['validate', '-', '--ignore-missing', '--pod-security', 'baseline'], stream);
    expect(held.out).to.match(/^-:1:1: error: v1 Pod root: .*violates PodSecurity "baseline:latest"/);
  });

  it('tells in the formats of programs', async () => {
    const pod = 'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: []}\n';
    const as = async (format: string): Promise<string> =>
      (await kubechain(folder, ['validate', '-', '--output', format], pod)).out;
    const { findings } = JSON.parse(await as('json')) as { readonly findings: readonly object[] };
    expect(findings).to.deep.equal([
      {
        level: 'error',
        rule: 'invalid',
        message: 'spec.containers: Required value',
        object: 'v1 Pod a',
        place: { file: '-', line: 4, column: 8 },
      },
    ]);
    const { runs } = JSON.parse(await as('sarif')) as {
      readonly runs: readonly { readonly results: readonly unknown[] }[];
    };
    expect(runs[0]?.results[0]).to.deep.equal({
      ruleId: 'invalid',
      level: 'error',
      message: { text: 'v1 Pod a: spec.containers: Required value' },
      locations: [
        { physicalLocation: { artifactLocation: { uri: 'stdin' }, region: { startLine: 4, startColumn: 8 } } },
      ],
    });
    const junit = await as('junit');
    expect(junit).to.contain('<testsuite name="kubechain validate" tests="1" failures="1">');
    expect(junit).to.contain('<failure message="-:4:8: spec.containers: Required value">');
  });

  it('goes by the rules and deprecations of the release that is chosen', async () => {
    const group = 'storagemigration.k8s.io';
    const migration =
      `apiVersion: ${group}/v1\nkind: StorageVersionMigration\nmetadata: {name: a}\n` +
      `spec: {resource: {group: apps, resource: deployments}}\n---\n`;
    const claim = 'apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: a}\n';
    const judge = async (release: string): Promise<readonly string[]> => {
      const { out } = await kubechain(folder, ['validate', '-', '--kubernetes-version', release], migration + claim);
      return [...out.matchAll(/no matches for kind "(\w+)"/g)].map(([, kind = '']) => kind);
    };
    expect(await judge('1.37')).to.deep.equal([]);
    expect(await judge('1.36')).to.deep.equal(['StorageVersionMigration']);
    expect(await judge('1.33')).to.deep.equal(['StorageVersionMigration', 'ResourceClaim']);
  });

  it('says what is not there', async () => {
    const { code, error } = await kubechain(folder, ['validate', 'nothing.yaml']);
    expect([code, error]).to.deep.equal([1, `kubechain: 'nothing.yaml': no such file or folder\n`]);
  });

  it('tells what another release removes and warns about, and what it has compared', async () => {
    const claims = `apiVersion: v1
kind: List
items:
  - apiVersion: resource.k8s.io/v1beta1
    kind: ResourceClaim
    metadata: {name: a}
  - {apiVersion: v1, kind: Endpoints, metadata: {name: old}}
  - {apiVersion: sea.example.com/v1, kind: Boat, metadata: {name: a}}
`;
    const diff = (...args: string[]): Promise<Ended> => kubechain(folder, ['diff', '-', ...args], claims);
    const gone = await diff('--to', '1.38');
    expect([gone.error, gone.code]).to.deep.equal(['', 1]);
    const lines = gone.out.trimEnd().split('\n');
    expect(lines.slice(0, 3)).to.deep.equal([
      '-:4:5: error: resource.k8s.io/v1beta1 ResourceClaim a: ' +
        'resource.k8s.io/v1beta1 ResourceClaim is unavailable in v1.38+',
      '-:7:6: warning: v1 Endpoints old: ' +
        'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
      '3 objects, 1 errors, 1 warnings',
    ]);
    expect(lines[3]).to.contain('for 2 of 3 objects').and.to.contain('planned');
    expect((await diff('--to', '1.36')).code).to.equal(0);
    expect((await diff('--to', '1.36', '--fail-on-warnings')).code).to.equal(1);
    expect((await diff('--to', 'next')).error).to.equal('kubechain: --to: "next" is no release like 1.38\n');
  });

  const robot = ['--as', 'system:serviceaccount:a:robot', '-f', 'roles.yaml'];
  for (const [question, answer] of [
    [
      ['get', 'deploy', '-n', 'a'],
      'yes - RBAC: allowed by RoleBinding "readers/a" of Role "reader" to ServiceAccount "robot/a"\n',
    ],
    [['get', 'deployments.apps', '-n', 'b'], 'no\n'],
    [['delete', 'deployments', '-n', 'a'], 'no\n'],
    [['get', '/metrics'], 'no\n'],
  ] as const)
    it(`tells whether somebody may ${question.join(' ')}`, async () => {
      const { code, out } = await kubechain(folder, ['can-i', ...question, ...robot]);
      expect([out, code]).to.deep.equal([answer, answer.startsWith('yes') ? 0 : 1]);
    });
});
