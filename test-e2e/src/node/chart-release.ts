import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { goTool } from '../harness/go-tools.ts';
import { execute } from '../harness/run.ts';
import { Kubectl, type KubectlList } from '../kubectl/kubectl.ts';
import type { Cluster } from './cluster.ts';

const CHART = join(import.meta.dirname, '../../../helm/kubechain');
const WAITING = ['--wait', '--timeout', '5m'];

/** How a control plane inside of the cluster is reached from here. */
export interface InnerAccess {
  /** By the address of its Service, which its certificate does not name. */
  readonly url: string;
  /** The administrator's. */
  readonly token: string;
}

/** A release of the chart in a cluster that runs its pods. */
export class ChartRelease {
  readonly name: string;
  readonly namespace: string;
  /** What its objects are called. */
  readonly fullName: string;
  readonly cluster: Cluster;
  readonly #folder = mkdtempSync(join(tmpdir(), 'kubechain-chart-'));

  constructor(cluster: Cluster, name: string, namespace: string) {
    this.cluster = cluster;
    this.name = name;
    this.namespace = namespace;
    this.fullName = `${name}-kubechain`;
  }

  close(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Resolves to what helm prints; rejects with the state of the namespace. */
  async helm(...args: readonly string[]): Promise<string> {
    const flags = ['--namespace', this.namespace, '--kubeconfig', this.cluster.chain.kubeconfig];
    const { code, stdout, stderr } = await execute(await goTool('helm3'), [...args, ...flags], {
      env: { HELM_CACHE_HOME: this.#folder, HELM_CONFIG_HOME: this.#folder, HELM_DATA_HOME: this.#folder },
    });
    if (code !== 0) throw new Error(`helm ${args.join(' ')}\n${stdout}${stderr}${await this.#state()}`);
    return stdout;
  }

  install(...settings: readonly string[]): Promise<string> {
    return this.helm('install', this.name, CHART, ...WAITING, ...setting(settings));
  }

  upgrade(...settings: readonly string[]): Promise<string> {
    return this.helm('upgrade', this.name, CHART, '--reuse-values', ...WAITING, ...setting(settings));
  }

  rollback(revision: number): Promise<string> {
    return this.helm('rollback', this.name, String(revision), ...WAITING);
  }

  uninstall(): Promise<string> {
    return this.helm('uninstall', this.name, '--wait');
  }

  /** `helm test`; rejects with the output of its pod. */
  async test(): Promise<void> {
    try {
      await this.helm('test', this.name);
    } catch (error) {
      const { stdout, stderr } = await this.kubectl('logs', `${this.fullName}-test`);
      throw new Error(`${error instanceof Error ? error.message : String(error)}\n${stdout}${stderr}`, {
        cause: error,
      });
    }
  }

  /** Runs kubectl of the cluster around it, in its namespace. */
  kubectl(...args: readonly string[]): ReturnType<Kubectl['run']> {
    return this.cluster.kubectl.run(['--namespace', this.namespace, ...args]);
  }

  /** The same, which must succeed. */
  ok(...args: readonly string[]): Promise<string> {
    return this.cluster.kubectl.ok(['--namespace', this.namespace, ...args]);
  }

  /** Names of its pods of one part: `aggregator`, `etcd`, … */
  async pods(component: string): Promise<readonly string[]> {
    const labels = `app.kubernetes.io/instance=${this.name},app.kubernetes.io/component=${component}`;
    const { items } = await this.cluster.kubectl.json<KubectlList>(`get pods -n ${this.namespace} -l ${labels}`);
    return items.map(({ metadata }) => metadata.name);
  }

  /** Ends when all of its Deployments and its store are as they should be. */
  async isRolledOut(): Promise<void> {
    const selector = `app.kubernetes.io/instance=${this.name}`;
    await this.ok('rollout', 'status', 'deployment', '--selector', selector, '--timeout=240s');
    await this.ok('rollout', 'status', 'statefulset', '--selector', selector, '--timeout=240s');
  }

  async serviceAddress(component = ''): Promise<string> {
    const service = component === '' ? this.fullName : `${this.fullName}-${component}`;
    return this.ok('get', 'service', service, '-o', 'jsonpath={.spec.clusterIP}');
  }

  /** What a Secret of the release holds: `suffix` is what stands behind its name. */
  async secret(suffix: string): Promise<Readonly<Record<string, string>>> {
    const { data = {} } = await this.cluster.kubectl.json(`get secret ${this.fullName}-${suffix} -n ${this.namespace}`);
    return Object.fromEntries(
      Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]),
    );
  }

  async access(): Promise<InnerAccess> {
    const { token = '' } = await this.secret('admin');
    return { url: `https://${await this.serviceAddress()}:443`, token };
  }

  /** A kubectl of the control plane inside. Its certificate is checked, for a name that it has. */
  async inside(server?: string): Promise<Kubectl> {
    const { 'kubeconfig-local': text = '' } = await this.secret('admin');
    const config = parse(text) as { clusters: { cluster: Record<string, unknown> }[] };
    const reached = server ?? (await this.access()).url;
    for (const { cluster } of config.clusters)
      Object.assign(cluster, { server: reached, ...(server === undefined ? { 'tls-server-name': 'localhost' } : {}) });
    const file = join(this.#folder, `${this.name}.kubeconfig`);
    writeFileSync(file, JSON.stringify(config));
    return new Kubectl(await goTool('kubectl'), file);
  }

  async #state(): Promise<string> {
    const { stdout } = await this.kubectl('get', 'pods,events', '-o', 'wide');
    return stdout;
  }
}

function setting(settings: readonly string[]): readonly string[] {
  return settings.flatMap((value) => ['--set', value]);
}
