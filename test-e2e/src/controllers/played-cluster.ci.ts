import { expect } from 'chai';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { shareOf } from '../ci/share.ts';
import { startChain, type Chain } from '../harness/chain.ts';
import { goTool, type GoTool } from '../harness/go-tools.ts';
import { run } from '../harness/run.ts';
import { Kubectl, type KubectlList } from '../kubectl/kubectl.ts';

const charts = join(import.meta.dirname, '../../manifests/charts');
/**
 * A few seconds are enough on a free machine; what hangs takes as long as its client waits: five minutes, or for
 * ever.
 */
const limitSeconds = 60;
const timeout = `--timeout=${limitSeconds}s`;

/**
 * What people do with a cluster, as they do it: commands wait by themselves with `timeout`, or are asked again until
 * `eventually` gives up.
 */
describe('a played cluster', () => {
  let chain: Chain;
  let kubectl: Kubectl;
  before(async function () {
    // Programs may have to be built.
    this.timeout(900_000);
    chain = await startChain({ flags: ['--controllers=*', '--nodes', '3'] });
    kubectl = new Kubectl(await goTool('kubectl'), chain.kubeconfig);
    await eventually('three nodes', async () => (await names('nodes')).length === 3);
    await ok(`wait node --all --for=condition=Ready ${timeout}`);
    await ok(`wait serviceaccount/default --for=create ${timeout}`);
  });
  after(async () => {
    kubectl?.close();
    await chain?.stop();
  });

  const ok = (args: string): Promise<string> => kubectl.ok(args);
  const apply = (manifest: object): Promise<string> => kubectl.ok(['apply', '-f', '-'], JSON.stringify(manifest));
  const list = async (what: string): Promise<KubectlList['items']> =>
    (await kubectl.json<KubectlList>(`get ${what}`)).items;
  const names = async (what: string): Promise<string[]> => (await list(what)).map(({ metadata }) => metadata.name);
  async function eventually(what: string, check: () => Promise<boolean>, withinSeconds = limitSeconds): Promise<void> {
    const endsMs = performance.now() + withinSeconds * 1_000;
    while (!(await check())) {
      if (performance.now() > endsMs) throw new Error(`not within ${withinSeconds} s: ${what}`);
      await delay(100);
    }
  }
  const rollOut = async (name: string, replicas: number): Promise<void> => {
    await ok(`create deployment ${name} --image=nginx --replicas=${replicas}`);
    await ok(`rollout status deployment/${name} ${timeout}`);
  };

  it('rolls out a deployment, over all nodes', async () => {
    await rollOut('web', 3);
    const pods = await list('pods -l app=web');
    expect(pods.map(({ status }) => status?.['phase'])).to.deep.equal(['Running', 'Running', 'Running']);
    expect(new Set(pods.map(({ spec }) => spec['nodeName'])).size).to.equal(3);
  });

  it('rolls it on to another image, and back by its history', async () => {
    await ok('set image deployment/web nginx=nginx:2');
    expect(await ok(`rollout status deployment/web ${timeout}`)).to.include('successfully rolled out');
    await ok('rollout undo deployment/web');
    await ok(`rollout status deployment/web ${timeout}`);
    expect(await ok('get deployment web -o jsonpath={.spec.template.spec.containers[0].image}')).to.equal('nginx');
    expect(await ok('rollout history deployment/web')).to.match(/\n2 .*\n3 /);
  });

  it('gives logs, runs commands and attaches', async () => {
    await apply({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        name: 'talker',
        annotations: {
          'simulation.kubechain.dev/logs': 'one\ntwo\n',
          'simulation.kubechain.dev/attach': 'welcome\n',
          'simulation.kubechain.dev/exec':
            '{"cat /etc/motd": "hello\\n", "broken": {"stdout": "so far\\n", "stderr": "no\\n", "exitCode": 3}}',
        },
      },
      spec: { containers: [{ name: 'c', image: 'talker', stdin: true }] },
    });
    await ok(`wait pod/talker --for=condition=Ready ${timeout}`);
    expect(await ok('logs talker')).to.equal('one\ntwo\n');
    expect(await ok('logs talker --tail=1')).to.equal('two\n');
    expect(await ok('exec talker -- cat /etc/motd')).to.equal('hello\n');
    const broken = await kubectl.run(['exec', 'talker', '--', 'broken']);
    expect(broken.code).to.equal(3);
    expect(broken.stdout).to.equal('so far\n');
    expect(broken.stderr).to.match(/^no\n/);
    expect(await kubectl.ok(['attach', 'talker', '-i'], 'cat /etc/motd\nexit\n')).to.equal('welcome\nhello\n');
    expect(await ok('logs deployment/web')).to.equal('container nginx is played: nothing runs in it\n');
    expect(await ok('exec deployment/web -- hostname')).to.match(/^web-\S+\n$/);
  });

  it('ends jobs, with success and with failure', async () => {
    await ok('create job done --image=busybox -- true');
    await ok(`wait job/done --for=condition=Complete ${timeout}`);
    expect(await ok('logs -f job/done')).to.include('container done is played');
    await apply({
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'broken' },
      spec: {
        backoffLimit: 0,
        template: {
          metadata: { annotations: { 'simulation.kubechain.dev/failure': 'exit' } },
          spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'broken' }] },
        },
      },
    });
    await ok(`wait job/broken --for=condition=Failed ${timeout}`);
    const [broken] = await list('job --field-selector metadata.name=broken');
    expect(JSON.stringify(broken?.status)).to.include('BackoffLimitExceeded');
  });

  it('ends jobs of cron jobs, made by hand and by the clock', async () => {
    await kubectl.ok(['create', 'cronjob', 'often', '--image=busybox', '--schedule=* * * * *']);
    await ok('create job --from=cronjob/often now');
    await ok(`wait job/now --for=condition=Complete ${timeout}`);
    await eventually(
      'a job of the next minute has ended',
      async () =>
        (await list('jobs')).some(
          ({ metadata, status }) => metadata.name.startsWith('often-') && status?.['succeeded'] === 1,
        ),
      60 + limitSeconds,
    );
    expect(await ok('get cronjob often -o jsonpath={.status.lastScheduleTime}')).to.match(/:00Z$/);
    await ok(`delete cronjob often ${timeout}`);
    await eventually('its jobs go with it', async () =>
      (await names('jobs')).every((name) => !name.startsWith('often-')),
    );
  });

  it('deletes owners and what they own, in three modes', async () => {
    for (const mode of ['background', 'foreground', 'orphan']) await rollOut(mode, 2);
    const owned = async (app: string): Promise<string[]> => [
      ...(await names(`replicasets -l app=${app}`)),
      ...(await names(`pods -l app=${app}`)),
    ];
    await ok(`delete deployment background --cascade=background ${timeout}`);
    await eventually('nothing is left of it', async () => (await owned('background')).length === 0);
    // The command returns when the owner is gone, and that goes last.
    await ok(`delete deployment foreground --cascade=foreground ${timeout}`);
    expect(await owned('foreground')).to.deep.equal([]);
    const before = await owned('orphan');
    await ok(`delete deployment orphan --cascade=orphan ${timeout}`);
    expect(await owned('orphan')).to.deep.equal(before);
    const [set] = await list('replicasets -l app=orphan');
    expect(set?.metadata).not.to.have.property('ownerReferences');
    await ok(`delete replicaset -l app=orphan ${timeout}`);
    await eventually('its pods are gone', async () => (await owned('orphan')).length === 0);
  });

  it('drains a node no faster than a budget allows', async () => {
    await rollOut('guarded', 2);
    await ok('create poddisruptionbudget guarded --selector=app=guarded --min-available=2');
    const onNode = async (node: string): Promise<string[]> =>
      names(`pods -l app=guarded --field-selector spec.nodeName=${node}`);
    await eventually(
      'the budget knows its pods',
      async () => (await ok('get pdb guarded -o jsonpath={.status.currentHealthy}')) === '2',
    );
    const node = await ok('get pods -l app=guarded -o jsonpath={.items[0].spec.nodeName}');
    const drain = ['drain', node, '--ignore-daemonsets', '--delete-emptydir-data', '--force'];
    const held = await kubectl.run([...drain, '--timeout=3s']);
    expect(held.code).not.to.equal(0);
    expect(held.stderr).to.include("Cannot evict pod as it would violate the pod's disruption budget");
    expect(await onNode(node)).to.have.length(1);
    await ok('scale deployment guarded --replicas=3');
    await kubectl.ok([...drain, timeout]);
    expect(await onNode(node)).to.deep.equal([]);
    await ok(`rollout status deployment/guarded ${timeout}`);
    expect(await list('pods --field-selector spec.nodeName=' + node)).to.deep.equal([]);
    await ok(`uncordon ${node}`);
  });

  const tools = ['helm3', 'helm4'] as const satisfies readonly GoTool[];
  for (const tool of tools)
    describe(`with ${tool}`, () => {
      let path: string;
      let folder: string;
      before(async function () {
        this.timeout(900_000);
        path = await goTool(tool);
        folder = mkdtempSync(join(tmpdir(), 'kubechain-helm-'));
      });
      after(() => {
        if (folder !== undefined) rmSync(folder, { recursive: true });
      });
      const helm = (chart: string, args: string): Promise<string> =>
        run(path, [...args.split(' '), '--namespace', `${tool}-${chart}`, timeout, '--kubeconfig', chain.kubeconfig], {
          env: { HELM_CACHE_HOME: folder, HELM_CONFIG_HOME: folder, HELM_DATA_HOME: folder },
        });

      for (const [i, chart] of readdirSync(charts).sort().entries()) {
        if (!shareOf(tools, i).includes(tool)) continue;
        it(`installs, upgrades and uninstalls the chart ${chart}, and waits for it`, async () => {
          const namespace = `${tool}-${chart}`;
          const from = `one ${join(charts, chart)}`;
          expect(await helm(chart, `install ${from} --create-namespace --wait --wait-for-jobs`)).to.include(
            'STATUS: deployed',
          );
          const notReady = async (): Promise<unknown[]> =>
            (await list(`pods -n ${namespace}`)).filter(
              ({ status }) => status?.['phase'] !== 'Succeeded' && !JSON.stringify(status).includes('"ready":true'),
            );
          expect(await notReady()).to.deep.equal([]);
          expect(await helm(chart, `upgrade ${from} --set tag=next --wait`)).to.include('STATUS: deployed');
          expect(await notReady()).to.deep.equal([]);
          if (chart === 'web') expect(await helm(chart, 'test one --logs')).to.match(/Phase: +Succeeded[\s\S]*visited/);
          await helm(chart, 'uninstall one --wait');
          await ok(`delete namespace ${namespace} ${timeout}`);
        });
      }
    });

  it('deletes a namespace with all that is in it', async () => {
    const namespace = 'full';
    await ok(`create namespace ${namespace}`);
    for (const chart of ['agent', 'database', 'jobs', 'web']) {
      const rendered = await run(await goTool('helm3'), ['template', chart, join(charts, chart), '--no-hooks']);
      await kubectl.ok(['apply', '-n', namespace, '-f', '-'], rendered);
    }
    for (const workload of ['daemonset/agent', 'statefulset/database-read', 'deployment/web'])
      await ok(`rollout status ${workload} -n ${namespace} ${timeout}`);
    await ok(`delete namespace ${namespace} ${timeout}`);
    expect(await names('namespaces')).not.to.include(namespace);
    const resources = (await ok('api-resources --namespaced --verbs=list -o name')).trim().split('\n');
    const left = await kubectl.json<KubectlList>(`get ${resources.join(',')} -A`);
    expect(
      left.items.filter(({ metadata }) => (metadata as { namespace?: string }).namespace === namespace),
    ).to.deep.equal([]);
  });
});
