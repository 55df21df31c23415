import { readFileSync } from 'node:fs';
import { formatMicroTime, isAlreadyExists, isNotFound, sleep } from '@kubechain/apimachinery';
import type { Lease } from '@kubechain/apimachinery/types/coordination/v1';
import type { Node, Pod } from '@kubechain/apimachinery/types/core/v1';
import { runWorkers, WorkQueue } from '@kubechain/shared-storage/work-queue';
import { resources } from '../client/resources.ts';
import { every } from '../clock/every.ts';
import type { Controller, ControllerContext } from '../controller/controller.ts';
import { addNodeIndex, podsOnNode } from '../pods/pods-on-node.ts';
import { StagePlayer } from '../stages/stage-player.ts';
import { isOfNodes, type Stage } from '../stages/stage.ts';
import type { SharedInformer } from '../informers/shared-informer.ts';
import { selfSigned } from '../certificates/self-signed.ts';
import { serveKubelets } from './kubelet-server.ts';
import { BuiltInPods } from './built-in-pods.ts';
import { nodePlace, podPlace } from './stage-place.ts';
import { VolumesInUse } from './volumes-in-use.ts';
import {
  conditionsAnnotation,
  isLost,
  nodeAddress,
  simulatedAnnotation,
  simulatedNode,
  simulatedNodeName,
  simulatedNodeStatus,
} from './simulated-node.ts';

const leaseNamespace = 'kube-node-lease';
/** As kubelet: a lease of 40 seconds, renewed every ten; the status every five minutes. */
const leaseSeconds = 40;
const renewMs = 10_000;
const statusMs = 300_000;
/** Put on new nodes by the server. */
const startTaint = 'node.kubernetes.io/not-ready';
/** Leases are renewed bit by bit: a thousand at once would hold up everybody else. */
const renewSlices = 20;
/** How long it is waited for what was written to come back, at most five seconds. */
const lookMs = 5;
const mostLooks = 1_000;
/** With more nodes than these their kubelets write no events: they would be most of what is written. */
const mostTellingNodes = 100;
/** Statuses of nodes, and leases, written at a time. */
const parallel = 16;
/** Pods written at a time: where processors are busy, every request waits for its turn on each of four processes. */
const parallelPods = 128;

/** As `--nodes` and `--stages` say. @throws StageError for stages that cannot be played */
export async function newNodeSimulator(context: ControllerContext): Promise<NodeSimulator> {
  const { stages } = context.flags.simulation;
  return new NodeSimulator(
    context,
    stages.length === 0 ? [] : await (await import('../stages/read-stages.ts')).readStages(stages),
  );
}

/**
 * Plays nodes and what kubelets do on them: makes `count` nodes, keeps every node alive that is marked as played, and
 * brings the pods that are bound to them through their lives, built-in ones or stages. No container runs.
 */
export class NodeSimulator implements Controller {
  readonly #context: ControllerContext;
  readonly #count: number;
  readonly #nodes: SharedInformer<Node>;
  readonly #pods: SharedInformer<Pod>;
  /** Nodes whose status is to be written. */
  readonly #queue: WorkQueue;
  readonly #players: readonly Controller[];
  /** The nodes' own statuses come from stages. */
  readonly #stagedNodes: StagePlayer<Node> | undefined;
  /** Where the clock is moved: what controllers see of our leases. */
  readonly #leases: SharedInformer<Lease> | undefined;
  /** 0 until it listens. */
  #kubeletPort = 0;
  /** Nodes whose lease is being renewed. */
  readonly #renewing = new Set<string>();
  /** By node: its index, for addresses; nodes that others made come after ours. */
  readonly #indexes = new Map<string, number>();
  /** By node: how many addresses it has given to pods. */
  readonly #given = new Map<string, number>();

  constructor(context: ControllerContext, stages: readonly Stage[]) {
    this.#context = context;
    this.#count = context.flags.simulation.nodes;
    this.#nodes = context.informers.informer(resources.nodes);
    this.#pods = context.informers.informer(resources.pods);
    addNodeIndex(this.#pods);
    this.#leases = context.clock.onMoved === undefined ? undefined : context.informers.informer(resources.leases);
    this.#queue = new WorkQueue({ clock: context.clock, metrics: context.queueMetrics, name: 'node_simulator' });
    const ofKind = (kind: 'Pod' | 'Node'): readonly Stage[] =>
      stages.filter((stage) => isOfNodes(stage) && stage.kind === kind);
    const [podStages, nodeStages] = [ofKind('Pod'), ofKind('Node')];
    const common = { context, workers: parallelPods };
    const pods =
      podStages.length === 0
        ? new BuiltInPods({
            ...common,
            pods: this.#pods,
            tellsEvents: this.#count <= mostTellingNodes,
            placeOf: (pod) => {
              const node = this.#playedNodeOf(pod);
              return (
                node && {
                  hostIP: this.#addressOf(node),
                  nodeReady: readyOf(node) === 'True',
                  podIP: (of) => this.#podIP(of, node),
                  podsOnNode: () => podsOnNode(this.#pods, node.metadata?.name ?? ''),
                }
              );
            },
          })
        : new StagePlayer<Pod>({
            ...common,
            type: resources.pods,
            informer: this.#pods,
            stages: podStages,
            plays: (pod) => this.#playedNodeOf(pod) !== undefined,
            placeOf: (pod) => {
              const node = this.#playedNodeOf(pod);
              return podPlace({
                hostIP: node === undefined ? '' : this.#addressOf(node),
                podIP: () => (node === undefined ? '' : this.#podIP(pod, node)),
              });
            },
          });
    this.#stagedNodes =
      nodeStages.length === 0
        ? undefined
        : new StagePlayer<Node>({
            context,
            workers: parallel,
            type: resources.nodes,
            informer: this.#nodes,
            stages: nodeStages,
            plays: (node) => this.#kubeletPort !== 0 && isPlayed(node),
            placeOf: (node) => nodePlace({ address: this.#addressOf(node), kubeletPort: this.#kubeletPort }),
          });
    const volumes = new VolumesInUse(context, isPlayed);
    this.#players = this.#stagedNodes === undefined ? [pods, volumes] : [pods, volumes, this.#stagedNodes];
    this.#nodes.addHandlers({
      onAdd: (node) => this.#refreshSoon(node),
      onUpdate: (node, before) => {
        const asked = (of: Node): string | undefined => of.metadata?.annotations?.[conditionsAnnotation];
        const [ready, readyBefore] = [readyOf(node), readyOf(before)];
        // Others have given it up; it lives.
        const isGivenUp = ready === 'Unknown' && readyBefore !== 'Unknown';
        if (asked(node) !== asked(before) || isLost(node) !== isLost(before) || isGivenUp) this.#refreshSoon(node);
        if (ready === 'True' && readyBefore !== 'True')
          for (const pod of podsOnNode(this.#pods, node.metadata?.name ?? '')) pods.look(pod);
      },
    });
  }

  async run(signal: AbortSignal): Promise<void> {
    const { clock, flags } = this.#context;
    const caFile = flags.simulation['simulation-kubelet-client-ca-file'];
    const { port } = await serveKubelets({
      serving: selfSigned(clock.now()),
      clientCA: caFile === '' ? undefined : readFileSync(caFile, 'utf8'),
      pod: (key) => this.#pods.get(key),
      clock,
      signal,
    });
    this.#kubeletPort = port;
    await Promise.all([this.#nodes.waitForSync(signal), this.#pods.waitForSync(signal)]);
    for (let index = 0; index < this.#count; index++) this.#indexes.set(simulatedNodeName(index), index);
    await inParallel(
      Array.from({ length: this.#count }, (_, index) => index),
      (index) => this.#ensureNode(index),
    );
    const mine = (): Node[] => this.#nodes.list().filter((node) => isPlayed(node));
    const options = { clock, signal };
    // Those that were there before know an earlier server's port, or none.
    for (const node of mine()) if (kubeletPortOf(node) !== port) this.#refreshSoon(node);
    let slice = 0;
    void every(
      renewMs / renewSlices,
      () => {
        slice = (slice + 1) % renewSlices;
        for (const node of mine())
          if (this.#indexOf(node.metadata?.name ?? '') % renewSlices === slice) this.#renewSoon(node);
      },
      options,
    );
    void sleep(clock, statusMs, signal).then(() =>
      every(
        statusMs,
        () => {
          for (const node of mine()) this.#refreshSoon(node);
        },
        options,
      ),
    );
    clock.onMoved?.(() => this.#stayAlive(mine()), signal);
    await Promise.all([
      ...this.#players.map((player) => player.run(signal)),
      runWorkers({
        queue: this.#queue,
        workers: parallel,
        signal,
        sync: (name) => this.#refresh(name),
        onError: (error) => this.#failed(error),
      }),
    ]);
  }

  #refreshSoon(node: Node): void {
    if (this.#kubeletPort !== 0 && isPlayed(node)) this.#queue.add(node.metadata?.name ?? '');
  }

  /** Without waiting for others: who is busy with pods must not be taken for dead. */
  #renewSoon(node: Node): void {
    const name = node.metadata?.name ?? '';
    if (this.#renewing.has(name)) return;
    this.#renewing.add(name);
    void this.#renew(node)
      .catch((error: unknown) => this.#failed(error))
      .finally(() => this.#renewing.delete(name));
  }

  #failed(error: unknown): void {
    if (!this.#context.signal.aborted) this.#context.log.error('nodes cannot be played', error);
  }

  async #ensureNode(index: number): Promise<void> {
    try {
      await this.#context.client.resource(resources.nodes).create(simulatedNode(index));
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
    }
  }

  /** Says that a node lives, and how it is. */
  async #refresh(name: string): Promise<void> {
    const { client, clock } = this.#context;
    const node = this.#nodes.get(name);
    if (node === undefined || !isPlayed(node)) return;
    this.#stagedNodes?.look(node);
    try {
      if (this.#stagedNodes === undefined) {
        const status = simulatedNodeStatus(node, {
          address: this.#addressOf(node),
          nowMs: clock.now(),
          kubeletPort: this.#kubeletPort,
        });
        await client.resource(resources.nodes).patch({ name }, { status }, { subresource: 'status' });
        await this.#removeStartTaint(node);
      }
      await this.#renew(node);
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  /** New nodes are kept free until somebody says that they are ready; a node that is played says so itself. */
  async #removeStartTaint({ metadata, spec }: Node): Promise<void> {
    const taints = spec?.taints ?? [];
    const left = taints.filter(({ key }) => key !== startTaint);
    if (left.length === taints.length) return;
    await this.#context.client
      .resource(resources.nodes)
      .patch({ name: metadata?.name ?? '' }, { spec: { taints: left.length === 0 ? null : left } });
  }

  #addressOf({ metadata }: Node): string {
    return nodeAddress(this.#indexOf(metadata?.name ?? ''));
  }

  #indexOf(name: string): number {
    let index = this.#indexes.get(name);
    if (index === undefined) this.#indexes.set(name, (index = this.#indexes.size));
    return index;
  }

  /**
   * The clock was moved: nodes have been alive meanwhile, and those who look after them are to see so before they
   * look.
   */
  async #stayAlive(nodes: readonly Node[]): Promise<void> {
    const { clock, signal } = this.#context;
    const fromMs = clock.now();
    await inParallel(nodes, (node) => this.#renew(node));
    const seen = ({ metadata }: Node): boolean => {
      const renewTime = this.#leases?.get(`${leaseNamespace}/${metadata?.name ?? ''}`)?.spec?.renewTime;
      return typeof renewTime === 'string' && Date.parse(renewTime) >= fromMs;
    };
    for (let looks = 0; looks < mostLooks && !signal.aborted && !nodes.every(seen); looks++)
      await sleep(clock, lookMs, signal);
  }

  async #renew({ metadata }: Node): Promise<void> {
    const { client, clock } = this.#context;
    const name = metadata?.name ?? '';
    const leases = client.resource(resources.leases);
    const renewTime = formatMicroTime(clock.now());
    try {
      await leases.patch({ name, namespace: leaseNamespace }, { spec: { renewTime } });
    } catch (error) {
      if (!isNotFound(error)) throw error;
      const lease = {
        metadata: {
          name,
          namespace: leaseNamespace,
          ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name, uid: metadata?.uid ?? '' }],
        },
        spec: { holderIdentity: name, leaseDurationSeconds: leaseSeconds, renewTime },
      } as Lease;
      await leases.create(lease).catch((reason: unknown) => {
        if (!isAlreadyExists(reason)) throw reason;
      });
    }
  }

  #playedNodeOf({ spec }: Pod): Node | undefined {
    const node = this.#nodes.get(spec?.nodeName ?? '');
    return node === undefined || !isPlayed(node) ? undefined : node;
  }

  #podIP({ status }: Pod, { metadata, spec }: Node): string {
    if (status?.podIP !== undefined && status.podIP !== '') return status.podIP;
    const name = metadata?.name ?? '';
    const given = this.#given.get(name) ?? 0;
    this.#given.set(name, given + 1);
    const network = spec?.podCIDR ?? simulatedNode(this.#indexOf(name)).spec?.podCIDR ?? '10.128.0.0/24';
    return `${network.slice(0, network.lastIndexOf('.'))}.${2 + (given % 253)}`;
  }
}

/** Whether a node is one that is played, and not lost. */
function isPlayed(node: Node): boolean {
  return node.metadata?.annotations?.[simulatedAnnotation] === 'fake' && !isLost(node);
}

function readyOf({ status }: Node): string | undefined {
  return status?.conditions?.find(({ type }) => type === 'Ready')?.status;
}

function kubeletPortOf({ status }: Node): number | undefined {
  return status?.daemonEndpoints?.kubeletEndpoint?.Port;
}

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < items.length) await work(items[next++]!);
  };
  await Promise.all(Array.from({ length: Math.min(parallel, items.length) }, worker));
}
