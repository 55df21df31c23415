import { freePort } from '@kubechain/shared-storage/testing';
import { expect } from 'chai';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { startChain, type Chain } from '../harness/chain.ts';
import { Client } from '../harness/client.ts';
import { run } from '../harness/run.ts';
import { mixinControllerPanels, mixinPanels, mixinRules } from './mixin-queries.ts';
import { Prometheus } from './prometheus.ts';

const files = join(import.meta.dirname, '../../../helm/kubechain/files');
const controllersMain = join(import.meta.dirname, '../../../packages/controllers/src/main.ts');
const rulesFile = join(files, 'rules.yaml');
const dashboards = readdirSync(join(files, 'dashboards'));

interface Dashboard {
  readonly panels: readonly {
    readonly id: number;
    readonly title: string;
    readonly type: string;
    readonly gridPos: Readonly<Record<'x' | 'y' | 'w' | 'h', number>>;
    readonly targets?: readonly { readonly expr: string }[];
  }[];
}
interface Rules {
  readonly groups: readonly {
    readonly rules: readonly { readonly record?: string; readonly alert?: string; readonly expr: string }[];
  }[];
}

const dashboardOf = (file: string): Dashboard =>
  JSON.parse(readFileSync(join(files, 'dashboards', file), 'utf8')) as Dashboard;
const ownRules = (parse(readFileSync(rulesFile, 'utf8')) as Rules).groups.flatMap(({ rules }) => rules);

describe('what Prometheus knows of a chain', function () {
  this.timeout(120_000);
  const folder = mkdtempSync(join(tmpdir(), 'kubechain-rules-'));
  const job = 'apiserver';
  let chain: Chain;
  let controllers: ChildProcess;
  let client: Client;
  let prometheus: Prometheus;
  let workload: NodeJS.Timeout;

  before(async () => {
    chain = await startChain();
    client = Client.fromKubeconfig(chain.kubeconfig);
    const mixin = join(folder, 'mixin.yaml');
    const rules = mixinRules.map(({ expr, kind, record }) => ({ record, expr, labels: { kind } }));
    writeFileSync(mixin, stringify({ groups: [{ name: 'mixin', rules }] }));
    const server = { address: `127.0.0.1:${chain.port}`, pki: join(chain.dataDir, 'pki'), job };
    const port = await freePort();
    controllers = spawn(
      process.execPath,
      [
        controllersMain,
        `--kubeconfig=${chain.kubeconfig}`,
        '--controllers=lifecycle',
        '--bind-address=127.0.0.1',
        `--secure-port=${port}`,
        '--authorization-always-allow-paths=/metrics',
      ],
      { stdio: 'ignore' },
    );
    const scraped = { address: `127.0.0.1:${port}`, job: 'kube-controller-manager' };
    prometheus = await Prometheus.start({ server, controllers: scraped }, [rulesFile, mixin]);
    const watch = await client.watch('/api/v1/configmaps?watch=true');
    let made = 0;
    workload = setInterval(() => {
      void work(`one-${made++}`).catch(() => undefined);
    }, 300);
    await watch.atLeast(3);
  });
  after(async () => {
    clearInterval(workload);
    await prometheus?.stop();
    if (controllers?.kill() === true) await once(controllers, 'exit');
    await chain?.stop();
    rmSync(folder, { recursive: true });
  });

  /** Something of every kind: the life of an object, lists, another server, failures, and a user with few rights. */
  async function work(name: string): Promise<void> {
    const configMaps = '/api/v1/namespaces/default/configmaps';
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } };
    await client.post(configMaps, body);
    await client.call('PUT', `${configMaps}/${name}`, { body: { ...body, data: { a: 'b' } } });
    await client.get(`${configMaps}/${name}`);
    await client.get(configMaps);
    await client.get('/api/v1/namespaces');
    await client.get('/apis/apiextensions.k8s.io/v1/customresourcedefinitions');
    await client.get(`${configMaps}/none`);
    await client.post(configMaps, body);
    await client.get('/version', { as: { kind: 'anonymous' } });
    await client.call('DELETE', `${configMaps}/${name}`);
    // Looked at by the aggregator's controllers, as what their queues count.
    const apiServices = '/apis/apiregistration.k8s.io/v1/apiservices';
    const spec = { group: `${name}.example.com`, version: 'v1', groupPriorityMinimum: 1, versionPriority: 1 };
    const apiService = { apiVersion: 'apiregistration.k8s.io/v1', kind: 'APIService' };
    await client.post(apiServices, { ...apiService, metadata: { name: `v1.${spec.group}` }, spec });
    await client.call('DELETE', `${apiServices}/v1.${spec.group}`);
  }

  it('counts the queues of controllers under the names of upstream', async () => {
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'passing' } };
    expect((await client.post('/api/v1/namespaces', namespace)).status).to.equal(201);
    await client.call('DELETE', '/api/v1/namespaces/passing');
    for (const name of ['namespace', 'serviceaccount', 'resourcequota_primary', 'garbage_collector_attempt_to_delete'])
      await prometheus.data(`workqueue_depth{name="${name}"}`);
    await prometheus.data('workqueue_adds_total{name="namespace"} > 0');
    await prometheus.data('workqueue_work_duration_seconds_count{name="namespace"} > 0');
    for (const series of ['unfinished_work_seconds', 'longest_running_processor_seconds', 'retries_total'])
      await prometheus.data(`workqueue_${series}{name="namespace"} >= 0`);
  });

  it('is read without a mistake', async () => {
    const text = await client.get('/metrics');
    const file = join(folder, 'metrics');
    writeFileSync(file, text.text);
    // promtool's opinion of names is one of style; what it cannot read, it says and ends with 1.
    await run('sh', ['-c', `promtool check metrics < ${file} > ${folder}/lint 2>&1; test $? -ne 1`]);
    expect((await prometheus.data(`up{job="${job}"} == 1`)).length).to.equal(1);
  });

  it('feeds the rules of the chart, and they fire for nothing that is well', async () => {
    expect(await run('promtool', ['check', 'rules', rulesFile])).to.contain(`${ownRules.length} rules found`);
    for (const { record } of ownRules) if (record !== undefined) await prometheus.data(record);
    const evaluated = await prometheus.rules();
    expect(evaluated.filter(({ health }) => health !== 'ok')).to.deep.equal([]);
    expect(evaluated.map(({ name }) => name)).to.include.members(
      ownRules.map(({ alert, record }) => alert ?? record ?? ''),
    );
    expect(await prometheus.query('ALERTS{alertstate="firing"}')).to.deep.equal([]);
  });

  it('is compared with limits by alerts of what is recorded', () => {
    const recorded = ownRules.flatMap(({ record }) => (record === undefined ? [] : [record]));
    for (const { alert, expr } of ownRules)
      if (alert !== undefined)
        expect(
          recorded.some((record) => expr.startsWith(record)),
          alert,
        ).to.equal(true);
  });

  for (const file of dashboards)
    it(`fills every panel of ${file}`, async () => {
      const { panels } = dashboardOf(file);
      expect(new Set(panels.map(({ id }) => id)).size).to.equal(panels.length);
      const empty: string[] = [];
      for (const { targets = [], title } of panels)
        for (const { expr } of targets) {
          const asked = expr.replaceAll('$__rate_interval', '30s').replaceAll('$job', job);
          await prometheus.data(asked).catch(() => empty.push(`${title}: ${asked}`));
        }
      expect(empty).to.deep.equal([]);
    });

  it('fills the panels of kubernetes-mixin', async () => {
    // Controllers create an account in it: what they have asked for long ago is no rate.
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'with-an-account' } };
    expect((await client.post('/api/v1/namespaces', namespace)).status).to.equal(201);
    const empty: string[] = [];
    for (const query of [...mixinPanels, ...mixinControllerPanels])
      await prometheus.data(query).catch(() => empty.push(query));
    expect(empty).to.deep.equal([]);
  });
});
