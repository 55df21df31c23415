import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Agent, get as getHTTPS } from 'node:https';
import { get as getHTTP } from 'node:http';
import { join } from 'node:path';
import type { Container, PodSpec, Probe, SecretManifest } from './manifests.ts';
import type { PodNetwork } from './pod-network.ts';
import { PodVolume } from './volumes.ts';

export interface LocalPodOptions {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly spec: PodSpec;
  /** Volumes are made here; names of sockets in them must stay below 108 characters. */
  readonly folder: string;
  /** What is /kubechain in the image. */
  readonly imageRoot: string;
  readonly network: PodNetwork;
  /** Environment that the kubelet adds, by name. */
  readonly serviceLinks: Readonly<Record<string, string>>;
  /** Volumes that claims stand for: names. */
  readonly claims: readonly string[];
}

/** The containers of a pod as processes of this machine: same commands, arguments, volumes, probes. */
export class LocalPod {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly address: string;
  readonly #options: LocalPodOptions;
  readonly #volumes = new Map<string, PodVolume>();
  readonly #children: ChildProcess[] = [];
  #output = '';

  constructor(options: LocalPodOptions) {
    this.name = options.name;
    this.labels = options.labels;
    this.address = options.network.address;
    this.#options = options;
    for (const volume of [...options.spec.volumes, ...options.claims.map((name) => ({ name }))])
      this.#volumes.set(volume.name, new PodVolume(join(options.folder, volume.name), volume));
  }

  /** What its containers printed. */
  get output(): string {
    return this.#output;
  }

  /** What a service's targetPort is here. */
  port(named: string | number): number {
    if (typeof named === 'number') return named;
    for (const { ports = [] } of this.#options.spec.containers)
      for (const { name, containerPort } of ports) if (name === named) return containerPort;
    throw new Error(`pod ${this.name} has no port ${named}`);
  }

  /** The directory that a container sees at a path. */
  mounted(container: string, path: string): string {
    const { volumeMounts } = this.#options.spec.containers.find(({ name }) => name === container)!;
    return this.#volumes.get(volumeMounts.find(({ mountPath }) => mountPath === path)!.name)!.directory;
  }

  /** Writes Secrets into its volumes, as the kubelet does at the start and when they change. */
  mount(secrets: ReadonlyMap<string, SecretManifest>): void {
    for (const volume of this.#volumes.values()) volume.write(secrets);
  }

  start(): void {
    for (const container of this.#options.spec.containers) this.#run(container);
  }

  /** Resolves when every container passes its startup and readiness probes. */
  async ready(timeoutMs = 60_000): Promise<void> {
    const deadline = Date.now() + timeoutMs;
    for (const { startupProbe, readinessProbe } of this.#options.spec.containers) {
      for (const probe of [startupProbe, readinessProbe]) {
        while (probe !== undefined && !(await this.passes(probe))) {
          if (Date.now() > deadline || this.#children.some(({ exitCode }) => exitCode !== null))
            throw new Error(`pod ${this.name} is not ready:\n${this.#output}`);
          await new Promise((resolve) => setTimeout(resolve, 100));
        }
      }
    }
  }

  /** Whether a probe passes now: any status from 200 to 399. */
  passes({ httpGet: { path, port, scheme } }: Probe): Promise<boolean> {
    return new Promise((resolve) => {
      const options = { host: this.address, port: this.port(port), path, timeout: 5_000 };
      const request =
        scheme === 'HTTPS'
          ? getHTTPS({ ...options, agent: new Agent({ keepAlive: false }), rejectUnauthorized: false })
          : getHTTP({ ...options, agent: false });
      request.on('response', ({ statusCode = 0 }) => {
        resolve(statusCode >= 200 && statusCode < 400);
        request.destroy();
      });
      request.on('timeout', () => {
        request.destroy();
      });
      request.on('error', () => {
        resolve(false);
      });
      request.on('close', () => {
        resolve(false);
      });
    });
  }

  /** Resolves to the exit code of its only container. */
  async ended(): Promise<number | null> {
    const [child] = this.#children;
    if (child === undefined) throw new Error(`pod ${this.name} was not started`);
    if (child.exitCode === null) await once(child, 'exit');
    return child.exitCode;
  }

  async stop(): Promise<readonly (number | null)[]> {
    return Promise.all(
      this.#children.map(async (child) => {
        if (child.exitCode === null && child.signalCode === null) {
          const killer = setTimeout(() => child.kill('SIGKILL'), 20_000);
          child.kill('SIGTERM');
          await once(child, 'exit');
          clearTimeout(killer);
        }
        return child.exitCode;
      }),
    );
  }

  /** Ends its processes and starts them again, with the same volumes. */
  async restart(): Promise<void> {
    await this.stop();
    this.#children.length = 0;
    this.start();
    await this.ready();
  }

  #run(container: Container): void {
    const { serviceLinks, spec, network } = this.#options;
    const env: Record<string, string> = {};
    if (spec.enableServiceLinks !== false) Object.assign(env, serviceLinks);
    for (const { name, value } of container.env ?? []) env[name] = this.#local(value, container);
    const [command, ...args] = [...container.command, ...container.args].map((argument) =>
      this.#local(
        argument.replaceAll(/\$\(([A-Z0-9_]+)\)/g, (whole, name: string) => env[name] ?? whole),
        container,
      ),
    );
    const child = spawn(
      command === 'node' ? process.execPath : command!,
      ['--import', join(import.meta.dirname, 'pod-network.ts'), ...args],
      {
        // Nothing of this machine's environment: containers have none either.
        env: {
          PATH: process.env['PATH'] ?? '',
          TMPDIR: this.#volumes.get('tmp')?.directory ?? this.#options.folder,
          KUBECHAIN_POD_NETWORK: JSON.stringify(network),
          ...env,
        },
        cwd: this.#options.imageRoot,
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    this.#children.push(child);
    const read = (data: Buffer): void => {
      this.#output += `${container.name}: ${data.toString('utf8')}`;
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
  }

  /** A text with the container's paths, told in those of this machine. */
  #local(text: string, { volumeMounts }: Container): string {
    const places = new Map(volumeMounts.map(({ name, mountPath }) => [mountPath, this.#volumes.get(name)!.directory]));
    places.set('/kubechain', this.#options.imageRoot);
    return text.replaceAll(new RegExp(`(?<=^|[=:,])(${[...places.keys()].join('|')})(?=/|$)`, 'g'), (place) =>
      places.get(place)!,
    );
  }
}
