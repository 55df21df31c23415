import { freePort } from '@kubechain/shared-storage/testing';
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';

/** What is scraped. */
export interface ScrapedServer {
  /** `host:port`. */
  readonly address: string;
  /** Folder with `ca.crt`, `admin.crt` and `admin.key`. */
  readonly pki: string;
  readonly job: string;
}

/** Controllers, whose certificate is their own. */
export interface ScrapedControllers {
  /** `host:port`. */
  readonly address: string;
  readonly job: string;
}

/** All that is scraped. */
export interface ScrapedServers {
  readonly server: ScrapedServer;
  readonly controllers: ScrapedControllers;
}

/** A rule as Prometheus tells it. */
export interface EvaluatedRule {
  readonly name: string;
  readonly type: 'recording' | 'alerting';
  readonly health: string;
  readonly lastError?: string;
}

/** A sample of an instant query. */
export interface Sample {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: readonly [number, string];
}

/** The distribution's Prometheus, which scrapes its servers each second and evaluates rules as often. */
export class Prometheus {
  readonly #folder = mkdtempSync(join(tmpdir(), 'kubechain-prometheus-'));
  readonly #url: string;
  readonly #child: ChildProcess;
  readonly #exited: Promise<unknown>;
  #output = '';

  private constructor(port: number, servers: ScrapedServers, ruleFiles: readonly string[]) {
    const { address, job, pki } = servers.server;
    const { controllers } = servers;
    this.#url = `http://127.0.0.1:${port}`;
    const config = join(this.#folder, 'prometheus.yaml');
    const tls = { ca_file: join(pki, 'ca.crt'), cert_file: join(pki, 'admin.crt'), key_file: join(pki, 'admin.key') };
    writeFileSync(
      config,
      stringify({
        global: { scrape_interval: '1s', evaluation_interval: '1s' },
        rule_files: ruleFiles,
        scrape_configs: [
          { job_name: job, scheme: 'https', tls_config: tls, static_configs: [{ targets: [address] }] },
          {
            job_name: controllers.job,
            scheme: 'https',
            tls_config: { insecure_skip_verify: true },
            static_configs: [{ targets: [controllers.address] }],
          },
        ],
      }),
    );
    this.#child = spawn(
      'prometheus',
      [
        `--config.file=${config}`,
        `--storage.tsdb.path=${join(this.#folder, 'data')}`,
        `--web.listen-address=127.0.0.1:${port}`,
      ],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    );
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.on('data', (chunk: Buffer) => (this.#output += chunk.toString()));
    this.#exited = new Promise((resolve) => this.#child.once('exit', resolve));
  }

  static async start(servers: ScrapedServers, ruleFiles: readonly string[]): Promise<Prometheus> {
    const started = new Prometheus(await freePort(), servers, ruleFiles);
    await started.#until('is not ready', () => fetch(`${started.#url}/-/ready`).then(({ ok }) => ok));
    return started;
  }

  async query(expression: string): Promise<readonly Sample[]> {
    const answer = await fetch(`${this.#url}/api/v1/query`, {
      method: 'POST',
      body: new URLSearchParams({ query: expression }),
    });
    const { data, error, status } = (await answer.json()) as {
      readonly status: string;
      readonly error?: string;
      readonly data?: { readonly result: readonly Sample[] };
    };
    if (status !== 'success' || data === undefined) throw new TypeError(`${expression}: ${error ?? status}`);
    return data.result;
  }

  /** Resolves to the samples of a query that have values, once there are any. */
  async data(expression: string, timeoutMs = 20_000): Promise<readonly Sample[]> {
    let found: readonly Sample[] = [];
    await this.#until(
      `has no data for ${expression}`,
      async () => {
        found = (await this.query(expression)).filter(({ value }) => value[1] !== 'NaN');
        return found.length > 0;
      },
      timeoutMs,
    );
    return found;
  }

  async rules(): Promise<readonly EvaluatedRule[]> {
    const answer = (await (await fetch(`${this.#url}/api/v1/rules`)).json()) as {
      readonly data: { readonly groups: readonly { readonly rules: readonly EvaluatedRule[] }[] };
    };
    return answer.data.groups.flatMap(({ rules }) => rules);
  }

  async stop(): Promise<void> {
    this.#child.kill('SIGTERM');
    await this.#exited;
    rmSync(this.#folder, { recursive: true });
  }

  async #until(problem: string, holds: () => Promise<boolean>, timeoutMs = 60_000): Promise<void> {
    for (const deadline = Date.now() + timeoutMs; !(await holds().catch(() => false));) {
      if (Date.now() > deadline || this.#child.exitCode !== null)
        throw new Error(`Prometheus ${problem}\n${this.#output.slice(-2_000)}`);
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  }
}
