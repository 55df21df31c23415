import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LocalPod } from './local-pod.ts';
import type { Manifest, PodManifest, PodSpec, SecretManifest, ServiceManifest, WorkloadManifest } from './manifests.ts';

/**
 * What kubelets, kube-proxy and cluster DNS make of the objects of one namespace, on this machine and without
 * containers: one pod per Deployment and StatefulSet, addresses of 127/8 for pods and services.
 */
export class LocalCluster {
  readonly folder = mkdtempSync(join(tmpdir(), 'kc-'));
  readonly pods = new Map<string, LocalPod>();
  readonly #imageRoot: string;
  readonly #namespace: string;
  readonly #addresses: string;
  #lastAddress = 1;
  readonly #services = new Map<string, { readonly manifest: ServiceManifest; readonly address: string }>();
  readonly #servers: Server[] = [];
  readonly #sockets = new Set<Socket>();
  #secrets: ReadonlyMap<string, SecretManifest> = new Map();

  constructor(options: { readonly namespace: string; readonly imageRoot: string }) {
    this.#namespace = options.namespace;
    this.#imageRoot = options.imageRoot;
    this.#addresses = `127.${randomInt(16, 250)}.${randomInt(1, 250)}`;
  }

  /** Makes services and pods of what `kubectl get` answers; runs them all, and resolves when all are ready. */
  async start(objects: readonly Manifest[]): Promise<void> {
    this.#secrets = secretsOf(objects);
    for (const object of objects) {
      if (object.kind !== 'Service') continue;
      const service = { manifest: object as ServiceManifest, address: this.#address() };
      this.#services.set(object.metadata.name, service);
      for (const { port, targetPort } of service.manifest.spec.ports) await this.#serve(service, port, targetPort);
    }
    for (const object of objects) {
      if (object.kind !== 'Deployment' && object.kind !== 'StatefulSet') continue;
      const { template, volumeClaimTemplates = [] } = (object as WorkloadManifest).spec;
      this.#create({
        name: object.metadata.name,
        labels: template.metadata.labels,
        spec: template.spec,
        claims: volumeClaimTemplates.map(({ metadata }) => metadata.name),
      }).start();
    }
    await Promise.all([...this.pods.values()].map((pod) => pod.ready()));
  }

  /** Runs a pod of its own to its end; answers its exit code and output. */
  async runToEnd({ metadata, spec }: PodManifest): Promise<{ readonly code: number | null; readonly output: string }> {
    const pod = this.#create({ name: metadata.name, labels: metadata.labels ?? {}, spec, claims: [] });
    pod.start();
    const code = await pod.ended();
    this.pods.delete(metadata.name);
    return { code, output: pod.output };
  }

  /** The Secrets changed: running pods get them, as the kubelet brings them. */
  updateSecrets(objects: readonly Manifest[]): void {
    this.#secrets = secretsOf(objects);
    for (const pod of this.pods.values()) pod.mount(this.#secrets);
  }

  /** Address of a service, and the name that its certificate has. */
  service(name: string): { readonly address: string; readonly host: string } {
    const service = this.#services.get(name);
    if (service === undefined) throw new Error(`there is no service ${name}`);
    return { address: service.address, host: `${name}.${this.#namespace}.svc` };
  }

  pod(name: string): LocalPod {
    const pod = this.pods.get(name);
    if (pod === undefined) throw new Error(`there is no pod of ${name}`);
    return pod;
  }

  async stop(): Promise<void> {
    await Promise.all([...this.pods.values()].map((pod) => pod.stop()));
    for (const server of this.#servers) server.close();
    for (const socket of this.#sockets) socket.destroy();
    rmSync(this.folder, { recursive: true, force: true });
  }

  #create(pod: {
    readonly name: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly spec: PodSpec;
    readonly claims: readonly string[];
  }): LocalPod {
    const services = Object.fromEntries(
      [...this.#services.keys()].map((name) => [this.service(name).host, this.service(name).address]),
    );
    const serviceLinks = Object.fromEntries(
      [...this.#services].map(([name, { address }]) => [
        `${name.replaceAll('-', '_').toUpperCase()}_SERVICE_HOST`,
        address,
      ]),
    );
    // Short: sockets are in it.
    const made = new LocalPod({
      ...pod,
      folder: join(this.folder, String(this.pods.size)),
      imageRoot: this.#imageRoot,
      network: { address: this.#address(), services },
      serviceLinks,
    });
    this.pods.set(pod.name, made);
    made.mount(this.#secrets);
    return made;
  }

  #address(): string {
    return `${this.#addresses}.${++this.#lastAddress}`;
  }

  /** As kube-proxy: each connection goes to a pod that the selector matches. */
  async #serve(
    { manifest, address }: { readonly manifest: ServiceManifest; readonly address: string },
    port: number,
    targetPort: string | number,
  ): Promise<void> {
    const server = createServer({ allowHalfOpen: true }, (client) => {
      const pod = [...this.pods.values()].find(({ labels }) =>
        Object.entries(manifest.spec.selector).every(([key, value]) => labels[key] === value),
      );
      if (pod === undefined) {
        client.resetAndDestroy();
        return;
      }
      const target = connect({ host: pod.address, port: pod.port(targetPort), allowHalfOpen: true });
      for (const [from, to] of [
        [client, target],
        [target, client],
      ] as const) {
        this.#sockets.add(from);
        from.pipe(to);
        from.on('error', () => {
          to.destroy();
        });
        from.once('close', () => {
          this.#sockets.delete(from);
          to.destroy();
        });
      }
    });
    this.#servers.push(server);
    server.listen(port, address);
    await once(server, 'listening');
  }
}

function secretsOf(objects: readonly Manifest[]): ReadonlyMap<string, SecretManifest> {
  return new Map(
    objects.filter(({ kind }) => kind === 'Secret').map((object) => [object.metadata.name, object as SecretManifest]),
  );
}
