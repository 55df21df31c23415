import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { goTool } from '../harness/go-tools.ts';

const command = join(import.meta.dirname, '../../../packages/kubechain/bin/kubechain.js');

const deployment = (name: string): string => `apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${name}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
        - name: web
          imag: web
`;

const files: Readonly<Record<string, string>> = {
  'base/kustomization.yaml': 'resources: [web.yaml]\n',
  'base/web.yaml': deployment('web'),
  'overlays/production/kustomization.yaml': 'resources: [../../base]\nnamePrefix: production-\n',
  'chart/Chart.yaml': 'apiVersion: v2\nname: chart\nversion: 0.1.0\nkubeVersion: ">=1.36.0-0"\n',
  'chart/values.yaml': 'name: web\n',
  'chart/templates/web.yaml': deployment('{{ .Values.name }}'),
  'chart/crds/boats.yaml': `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: boats.sea.example.com}
spec:
  group: sea.example.com
  scope: Namespaced
  names: {plural: boats, kind: Boat}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
`,
  'chart/templates/boat.yaml': 'apiVersion: sea.example.com/v1\nkind: Boat\nmetadata: {name: a}\n',
};

/** What kustomize and helm make of folders, judged with the places of their sources. */
describe('judging kustomizations and charts', function () {
  this.timeout(120_000);
  let folder: string;
  let programs: string;
  before(async function build() {
    this.timeout(900_000);
    folder = mkdtempSync(join(tmpdir(), 'kubechain-offline-'));
    programs = mkdtempSync(join(tmpdir(), 'kubechain-programs-'));
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    symlinkSync(await goTool('kubectl'), join(programs, 'kubectl'));
    symlinkSync(await goTool('helm4'), join(programs, 'helm'));
  });
  after(() => {
    rmSync(folder, { recursive: true });
    rmSync(programs, { recursive: true });
  });

  async function validate(path: string, on: string): Promise<{ readonly out: string; readonly error: string }> {
    const env = { ...process.env, PATH: on };
    try {
      const { stderr, stdout } = await promisify(execFile)(process.execPath, [command, 'validate', path], {
        cwd: folder,
        env,
      });
      return { out: stdout, error: stderr };
    } catch (failed) {
      const { stderr, stdout } = failed as { readonly stdout: string; readonly stderr: string };
      return { out: stdout, error: stderr };
    }
  }
  const withPrograms = (): string => [programs, process.env['PATH']].join(delimiter);

  it('finds the file that an object of a kustomization comes from', async () => {
    const { error, out } = await validate('overlays/production', withPrograms());
    expect(error).to.equal('');
    expect(out.trimEnd().split('\n')).to.deep.equal([
      'base/web.yaml:12:11: error: apps/v1 Deployment production-web: ' +
        'unknown field "spec.template.spec.containers[0].imag"',
      '1 objects, 1 errors, 0 warnings',
    ]);
  });

  it('finds the template that an object of a chart comes from, and knows its definitions', async () => {
    const { error, out } = await validate('chart', withPrograms());
    expect(error).to.equal('');
    expect(out).to.match(
      /^chart:\d+:\d+ \(chart\/templates\/web\.yaml\): error: apps\/v1 Deployment web: unknown field/,
    );
    expect(out).to.contain('3 objects, 1 errors, 0 warnings');
  });

  it('says what is needed where it is not there', async () => {
    for (const [path, text] of [
      ['base', 'base, a kustomization, is rendered by kustomize or kubectl, which is not on the PATH'],
      ['chart', 'chart, a chart, is rendered by helm, which is not on the PATH'],
    ] as const)
      expect((await validate(path, join(folder, 'nothing'))).error).to.contain(text);
  });
});
