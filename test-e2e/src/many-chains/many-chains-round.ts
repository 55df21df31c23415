import { createEtcdClient } from '@kubechain/shared-storage/etcd';
import { Etcd3Store } from '@kubechain/shared-storage/factory';
import { FaultHistory, StorageFaultClient, podCodec, seededRandom } from '@kubechain/shared-storage/testing';
import type { FaultClient, SeededRandom } from '@kubechain/shared-storage/testing';
import { expect } from 'chai';
import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startChain, type Chain } from '../harness/chain.ts';
import { Client, type Identity } from '../harness/client.ts';
import { HttpFaultClient, type Status } from '../faults/http-fault-client.ts';
import type { EtcdCluster } from './etcd-cluster.ts';
import { LoadBalancer } from './load-balancer.ts';

/** What goes wrong, one after another in an order of the seed's. */
export const troubles = [
  'rolling restart',
  'killed chain',
  'lost member',
  'lost leader',
  'parted member',
  'parted leader',
  'unreachable member',
  'slow disk',
] as const;
export type Trouble = (typeof troubles)[number];

/** One API server of the many, or a whole chain: anything that serves the same store under the same authorities. */
export interface ServedChain {
  readonly port: number;
  /** Ends as a rolling restart does (SIGTERM) or at once (SIGKILL), and starts again; resolves when it is ready. */
  restart(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
  stop(): Promise<unknown>;
  output(): string;
}

export interface ManyChainsOptions {
  readonly cluster: EtcdCluster;
  /** Kept from round to round: certificates are the same for all chains. */
  readonly directory: string;
  readonly chains: number;
  readonly flags?: readonly string[];
  readonly seed: number;
  /** How many of the troubles, drawn by the seed. Default: all. */
  readonly count?: number;
  /** Further API servers of the same store, started when the chains are. */
  readonly more?: (place: { readonly directory: string }) => Promise<readonly ServedChain[]>;
  /** Further answers that those may give while something is away. */
  readonly mayAlsoPass?: (status: Status) => boolean;
  /** Told of each trouble when it begins, and of what the round has proved. */
  readonly told?: (what: string) => void;
}

const resource = { apiVersion: 'v1', kind: 'ConfigMap' };
const keyRoot = '/registry/configmaps';
let rounds = 0;

/**
 * One round: clients write, read and watch through a load balancer before several chains over one etcd cluster, while
 * chains are restarted and killed and members of etcd are lost, parted from the others, or slow.
 */
export async function manyChainsRound(options: ManyChainsOptions): Promise<void> {
  const { cluster, seed } = options;
  const random = seededRandom(seed);
  const balancer = await LoadBalancer.start();
  const chains: ServedChain[] = [];
  const clients: FaultClient[] = [];
  const etcd = createEtcdClient({ endpoints: cluster.members.map(({ endpoint }) => endpoint) });
  try {
    const admin = await startChains(options, chains);
    const drain = (without?: ServedChain): void =>
      balancer.setTargets(chains.filter((chain) => chain !== without).map(({ port }) => port));
    drain();
    const namespace = `round-${process.pid}-${++rounds}`;
    const setup = new Client(balancer.url, admin);
    expect((await setup.post('/api/v1/namespaces', { metadata: { name: namespace } })).status).to.equal(201);
    const direct = new Etcd3Store({
      client: etcd,
      codec: podCodec,
      groupResource: { group: '', resource: 'configmaps' },
      keyRoot,
    });
    const below = new StorageFaultClient('stored config maps', direct, {
      prefix: `${keyRoot}/${namespace}/`,
      close: () => direct.close(),
    });
    const { mayAlsoPass } = options;
    const at = {
      ...resource,
      path: `/api/v1/namespaces/${namespace}/configmaps`,
      severalServers: true,
      ...(mayAlsoPass === undefined ? {} : { mayAlsoPass }),
    };
    const through = [1, 2, 3].map((i) => new HttpFaultClient(`client-${i}`, new Client(balancer.url, admin), at));
    clients.push(below, ...through);
    const history = new FaultHistory({
      direct: {
        name: below.name,
        watch: (watchOptions, sink) => below.watch(watchOptions, sink),
        put: (...put) => through[0]!.put(...put),
        delete: (key) => through[0]!.delete(key),
        get: (key) => below.get(key),
        list: (how) => below.list(how),
        close: () => below.close(),
      },
      clients: through,
      random,
      from: await direct.currentRevision(),
      pauseMs: 10,
    });
    await history.run(async () => {
      await history.progress(3);
      for (const trouble of drawn(random, options.count ?? troubles.length)) {
        options.told?.(trouble);
        await meet(trouble, { ...options, chains, drain, random, progress: () => history.progress(2) });
        await history.progress(2);
      }
    });
    options.told?.(
      `${history.truth.changes.length} writes, ${history.loads.reduce((sum, { reads }) => sum + reads, 0)} reads`,
    );
    for (const { port } of chains) expect(balancer.accepted.get(port) ?? 0, 'connections of a chain').to.be.above(0);
    setup.close();
  } catch (error) {
    const outputs = chains.map((chain) => chain.output()).join('\n');
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n${outputs}`, { cause: error });
  } finally {
    cluster.network.heal();
    for (const { proxy } of cluster.members) proxy.setFault({ kind: 'none' });
    for (const client of clients) await client.close();
    await etcd.close();
    await balancer.close();
    await Promise.all(chains.map((chain) => chain.stop()));
  }
}

function drawn(random: SeededRandom, count: number): readonly Trouble[] {
  const left: Trouble[] = [...troubles];
  return Array.from({ length: Math.min(count, left.length) }, () => left.splice(random(left.length), 1)[0]!);
}

interface Place {
  readonly cluster: EtcdCluster;
  readonly chains: readonly ServedChain[];
  /** Takes a chain out of the balancer; without one, puts all in. */
  readonly drain: (chain?: ServedChain) => void;
  readonly random: SeededRandom;
  /** Waits until every client has got some writes through. */
  readonly progress: () => Promise<void>;
}

async function meet(trouble: Trouble, { chains, cluster, drain, progress, random }: Place): Promise<void> {
  const any = random(cluster.members.length);
  switch (trouble) {
    case 'rolling restart':
      for (const chain of chains) {
        drain(chain);
        await chain.restart('SIGTERM');
        drain();
        await progress();
      }
      return;
    case 'killed chain':
      await chains[random(chains.length)]!.restart('SIGKILL');
      return;
    case 'lost member':
    case 'lost leader': {
      const member = trouble === 'lost leader' ? ((await cluster.leader()) ?? any) : any;
      await cluster.kill(member);
      await progress();
      await cluster.restart(member);
      return;
    }
    case 'parted member':
    case 'parted leader': {
      const member = trouble === 'parted leader' ? ((await cluster.leader()) ?? any) : any;
      cluster.network.part([member]);
      await progress();
      // The parted one takes no part: the others have a leader of their own.
      await cluster.hasLeader({ without: member });
      cluster.network.heal();
      await cluster.answers(member);
      return;
    }
    case 'unreachable member':
      cluster.members[any]!.proxy.setFault({ kind: 'stall' });
      await progress();
      cluster.members[any]!.proxy.cut();
      cluster.members[any]!.proxy.setFault({ kind: 'none' });
      return;
    case 'slow disk': {
      // A disk that does not answer holds its whole process: so does stopping it, for longer than leaders are missed.
      const { process: child } = cluster.members[(await cluster.leader()) ?? any]!;
      for (let i = 0; i < 3; i++) {
        child?.kill('SIGSTOP');
        await delay(400 + random(1_600));
        child?.kill('SIGCONT');
        await delay(100 + random(400));
      }
      await progress();
      return;
    }
    default:
      trouble satisfies never;
  }
}

/** Resolves to the administrator of all of them. */
async function startChains(
  { chains: count, cluster, directory, flags = [], more }: ManyChainsOptions,
  started: ServedChain[],
): Promise<Identity> {
  const directoryOf = (i: number): string => join(directory, `chain-${i}`);
  for (let i = 0; i < count; i++) {
    const dataDir = directoryOf(i);
    if (i > 0 && !existsSync(join(dataDir, 'pki'))) {
      mkdirSync(dataDir, { recursive: true });
      cpSync(join(directoryOf(0), 'pki'), join(dataDir, 'pki'), { recursive: true });
    }
    started.push(await restartable({ dataDir, flags: [...flags, `--etcd-servers=${cluster.endpoints(i).join(',')}`] }));
  }
  started.push(...((await more?.({ directory })) ?? []));
  return Client.identityOf(join(directoryOf(0), 'admin.kubeconfig'));
}

async function restartable(options: {
  readonly dataDir: string;
  readonly flags: readonly string[];
}): Promise<ServedChain> {
  let chain: Chain = await startChain(options);
  const { port } = chain;
  return {
    port,
    async restart(signal) {
      if (signal === 'SIGTERM') await chain.stop();
      else {
        chain.kill('SIGKILL');
        await chain.stop();
      }
      chain = await startChain({ ...options, port });
    },
    stop: () => chain.stop(),
    output: () => chain.output(),
  };
}
