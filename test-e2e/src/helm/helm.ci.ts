import { expect } from 'chai';
import { rmSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startChain, type Chain } from '../harness/chain.ts';
import { goTool } from '../harness/go-tools.ts';
import { execute, run } from '../harness/run.ts';
import { Kubectl, type KubectlList } from '../kubectl/kubectl.ts';

const chart = join(import.meta.dirname, '../../manifests/chart');

/**
 * Both releases of helm that people use, against the chain: 3 merges three ways in the client, 4 applies on the server.
 */
for (const [release, tool] of [
  ['helm 3', 'helm3'],
  ['helm 4', 'helm4'],
] as const) {
  describe(release, () => {
    let chain: Chain;
    let kubectl: Kubectl;
    let path: string;
    let folder: string;
    const namespace = 'market';
    const helmArgs = (args: string): string[] => [
      ...args.split(' '),
      '--namespace',
      namespace,
      '--kubeconfig',
      chain.kubeconfig,
    ];
    const helm = (args: string): Promise<string> =>
      run(path, helmArgs(args), { env: { HELM_CACHE_HOME: folder, HELM_CONFIG_HOME: folder, HELM_DATA_HOME: folder } });
    const color = (): Promise<string> =>
      kubectl.ok(['get', 'configmap', 'one', '-n', namespace, '-o', 'jsonpath={.data.color}']);
    const kinds = 'sa,cm,secret,svc,deploy,role,rolebinding,pdb,ing,flavors';

    before(async function () {
      // Helm has to be built.
      this.timeout(900_000);
      path = await goTool(tool);
      folder = mkdtempSync(join(tmpdir(), 'kubechain-helm-'));
      chain = await startChain();
      kubectl = new Kubectl(await goTool('kubectl'), chain.kubeconfig);
    });
    after(async () => {
      kubectl?.close();
      await chain?.stop();
      if (folder !== undefined) rmSync(folder, { recursive: true });
    });

    it('lints and templates', async () => {
      expect(await helm(`lint ${chart}`)).to.include('0 chart(s) failed');
      const rendered = await helm(`template one ${chart} --include-crds --kube-version 1.36`);
      expect(rendered.match(/^kind: /gm)).to.have.length(14);
    });

    it('installs a chart with its CRD and hooks', async () => {
      expect(await helm(`install one ${chart} --create-namespace --timeout 90s`)).to.match(
        /STATUS: deployed[\s\S]*one sells red on Kubernetes 36/,
      );
      const { items } = await kubectl.json<KubectlList>(
        `get ${kinds} -n ${namespace} -l app.kubernetes.io/instance=one`,
      );
      expect(new Set(items.map((item) => item.kind)).size).to.equal(10);
      expect(await kubectl.ok(`get configmap one-pre-install -n ${namespace} -o jsonpath={.data.revision}`)).to.equal(
        '1',
      );
    });

    it('lists, shows status and gets what it installed', async () => {
      expect(JSON.parse(await helm('list -o json'))).to.have.length(1);
      expect(await helm('status one')).to.include('STATUS: deployed');
      expect(await helm('get manifest one')).to.include('kind: Flavor');
      expect((await execute(path, helmArgs(`install one ${chart}`))).stderr).to.include('cannot re');
    });

    it('upgrades, rolls back and knows its history', async () => {
      await helm(`upgrade one ${chart} --set color=green,ingress=false`);
      expect(await color()).to.equal('green');
      expect(await kubectl.ok(`get ingress -n ${namespace} -o name`)).to.equal('');
      expect(await kubectl.ok(`get configmap one-post-upgrade -n ${namespace} -o jsonpath={.data.revision}`)).to.equal(
        '2',
      );
      await kubectl.ok(`label deployment one -n ${namespace} mine=yes`);
      await helm(`upgrade one ${chart} --set color=blue`);
      expect(
        await kubectl.ok(['get', 'deployment', 'one', '-n', namespace, '-o', 'jsonpath={.metadata.labels.mine}']),
      ).to.equal('yes');
      await helm('rollback one 1');
      expect(await color()).to.equal('red');
      expect(await kubectl.ok(`get ingress -n ${namespace} -o name`)).to.equal('ingress.networking.k8s.io/one\n');
      const history = JSON.parse(await helm('history one -o json')) as { revision: number; status: string }[];
      expect(history.map(({ revision, status }) => `${revision} ${status}`)).to.deep.equal([
        '1 superseded',
        '2 superseded',
        '3 superseded',
        '4 deployed',
      ]);
    });

    it('fails as it should, and goes on from there', async () => {
      const failed = await execute(path, helmArgs(`upgrade one ${chart} --set color.not=text`));
      expect(failed.code).not.to.equal(0);
      await helm(`upgrade one ${chart} --set color=white`);
      expect(await color()).to.equal('white');
    });

    it('waits for a test to end', async () => {
      const tested = helm('test one --timeout 90s');
      // As a kubelet would.
      for (
        let tries = 0;
        tries < 600 && (await kubectl.run(`get pod one-visit -n ${namespace}`.split(' '))).code !== 0;
        tries++
      )
        await new Promise((resolve) => setTimeout(resolve, 100));
      await kubectl.ok([
        'patch',
        'pod',
        'one-visit',
        '-n',
        namespace,
        '--subresource=status',
        '--type=merge',
        '-p',
        '{"status":{"phase":"Succeeded"}}',
      ]);
      expect(await tested).to.match(/Phase: +Succeeded/);
    });

    it('renders for kubectl to apply', async () => {
      const rendered = await helm(`template two ${chart} --no-hooks --set color=black --kube-version 1.36`);
      expect(await kubectl.ok(['apply', '-n', namespace, '-f', '-'], rendered)).to.include(
        'flavor.stall.example.com/two created',
      );
      expect((await kubectl.run(['diff', '-n', namespace, '-f', '-'], rendered)).code).to.equal(0);
      await kubectl.ok(['delete', '-n', namespace, '-f', '-'], rendered);
    });

    it('uninstalls, but for the CRD', async () => {
      expect(await helm('uninstall one')).to.include('release "one" uninstalled');
      expect(await kubectl.ok(`get ${kinds} -n ${namespace} -l app.kubernetes.io/instance=one -o name`)).to.equal('');
      expect(JSON.parse(await helm('list -o json'))).to.deep.equal([]);
      await kubectl.ok('get crd flavors.stall.example.com');
    });
  });
}
