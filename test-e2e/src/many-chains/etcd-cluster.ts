import { createEtcdClient } from '@kubechain/shared-storage/etcd';
import { FaultProxy, freePort } from '@kubechain/shared-storage/testing';
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { PeerNetwork } from './peer-network.ts';

/** A member of an etcd cluster: a process with data of its own, and a proxy before its port for clients. */
interface Member {
  readonly endpoint: string;
  readonly proxy: FaultProxy;
  process: ChildProcess | undefined;
  start(): void;
}

/** Three etcd on this machine whose members and networks can be made to fail. Stop it. */
export class EtcdCluster {
  readonly members: readonly Member[];
  readonly network: PeerNetwork;
  readonly #directory: string;

  private constructor(members: readonly Member[], network: PeerNetwork, directory: string) {
    this.members = members;
    this.network = network;
    this.#directory = directory;
  }

  /** @param binary default: `etcd` of the PATH */
  static async start(binary = 'etcd', size = 3): Promise<EtcdCluster> {
    const directory = mkdtempSync(join(tmpdir(), 'kubechain-etcd-cluster-'));
    const numbers = Array.from({ length: size }, (_, i) => i);
    const ports = await Promise.all(numbers.map(async () => ({ client: await freePort(), peer: await freePort() })));
    const network = await PeerNetwork.start(ports.map(({ peer }) => peer));
    const cluster = numbers.map((i) => `m${i}=${PeerNetwork.urlOf(i)}`).join(',');
    const members: Member[] = [];
    for (const [i, { client, peer }] of ports.entries()) {
      const endpoint = `http://127.0.0.1:${client}`;
      const args = [
        `--name=m${i}`,
        `--data-dir=${join(directory, `m${i}`)}`,
        `--listen-client-urls=${endpoint}`,
        `--advertise-client-urls=${endpoint}`,
        `--listen-peer-urls=http://127.0.0.1:${peer}`,
        `--initial-advertise-peer-urls=${PeerNetwork.urlOf(i)}`,
        `--initial-cluster=${cluster}`,
        '--heartbeat-interval=100',
        '--election-timeout=1000',
        '--grpc-keepalive-min-time=10ms',
        '--log-level=error',
      ];
      const member: Member = {
        endpoint,
        proxy: await FaultProxy.start(endpoint),
        process: undefined,
        start() {
          member.process = spawn(binary, args, {
            stdio: 'ignore',
            env: { ...process.env, HTTP_PROXY: network.proxyOf(i), NO_PROXY: '' },
          });
        },
      };
      members.push(member);
      member.start();
    }
    const started = new EtcdCluster(members, network, directory);
    try {
      for (const [i] of members.entries()) await started.answers(i);
    } catch (error) {
      await started.stop();
      throw error;
    }
    return started;
  }

  /** All members, through their proxies, a different one first for each chain. */
  endpoints(first: number): readonly string[] {
    return this.members.map((_, i) => this.members[(first + i) % this.members.length]!.proxy.endpoint);
  }

  /** Kills a member; its data stay. */
  async kill(i: number): Promise<void> {
    const { process: child } = this.members[i]!;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await exited;
  }

  async restart(i: number): Promise<void> {
    this.members[i]!.start();
    await this.answers(i);
  }

  /** Resolves when a member answers reads that the whole cluster agrees on. */
  async answers(i: number): Promise<void> {
    const { endpoint } = this.members[i]!;
    const client = createEtcdClient({ endpoints: [endpoint], unreachableRetryMs: 100 });
    try {
      for (const deadline = Date.now() + 60_000; ; await delay(50)) {
        try {
          await client.range({ key: 'ready' }, { timeoutMs: 1_000 });
          return;
        } catch (error) {
          if (Date.now() > deadline) throw error;
        }
      }
    } finally {
      await client.close();
    }
  }

  /** The member that leads, as those say that are not left out; undefined while there is none. */
  async leader({ without }: { readonly without?: number } = {}): Promise<number | undefined> {
    for (const [i, { endpoint }] of this.members.entries()) {
      if (i === without) continue;
      const metrics = await fetch(`${endpoint}/metrics`, { signal: AbortSignal.timeout(5_000) })
        .then((answer) => answer.text())
        .catch(() => '');
      if (/^etcd_server_is_leader 1$/m.test(metrics)) return i;
    }
    return undefined;
  }

  /** Waits for a leader among the members that are not left out. */
  async hasLeader(options: { readonly without: number }): Promise<void> {
    for (const deadline = Date.now() + 60_000; Date.now() < deadline; await delay(50))
      if ((await this.leader(options)) !== undefined) return;
    throw new Error('no other member leads');
  }

  async stop(): Promise<void> {
    await Promise.all(this.members.map((_, i) => this.kill(i)));
    await Promise.all(this.members.map(({ proxy }) => proxy.close()));
    await this.network.close();
    rmSync(this.#directory, { recursive: true, force: true });
  }
}
