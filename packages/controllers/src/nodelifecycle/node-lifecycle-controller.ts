import { isConflict, isNotFound } from '@kubechain/apimachinery';
import type { Lease } from '@kubechain/apimachinery/types/coordination/v1';
import type { Node, Pod } from '@kubechain/apimachinery/types/core/v1';
import { runWorkers, WorkQueue } from '@kubechain/shared-storage/work-queue';
import { resources } from '../client/resources.ts';
import { every } from '../clock/every.ts';
import { withCondition } from '../controller/conditions.ts';
import type { Controller, ControllerContext } from '../controller/controller.ts';
import { namespacedQueue } from '../controller/namespaces-in-turns.ts';
import type { EventRecorder } from '../events/event-recorder.ts';
import { keyOf } from '../informers/object-key.ts';
import type { SharedInformer } from '../informers/shared-informer.ts';
import { addNodeIndex, podsOnNode } from '../pods/pods-on-node.ts';
import { NodeHealths, type NodeHealth } from './node-health.ts';
import { hasTaint, noScheduleChanges, notReady, unreachable } from './node-taints.ts';
import { stableLabels } from './stable-labels.ts';
import { TaintWriter } from './taint-writer.ts';
import { zoneOf, Zones } from './zones.ts';

const leaseNamespace = 'kube-node-lease';
const excluded = 'node.kubernetes.io/exclude-disruption';
const taintingMs = 100;
const nodeWorkers = 8;
const podWorkers = 4;
const tries = 5;

/**
 * Watches nodes: taints them by their conditions, says of silent ones that nothing is known of them, marks their pods
 * as not ready, and taints them so that their pods go, zone by zone at a rate (pkg/controller/nodelifecycle, 1.36).
 */
export class NodeLifecycleController implements Controller {
  readonly #context: ControllerContext;
  readonly #nodes: SharedInformer<Node>;
  readonly #pods: SharedInformer<Pod>;
  readonly #leases: SharedInformer<Lease>;
  readonly #recorder: EventRecorder;
  readonly #taints: TaintWriter;
  readonly #healths: NodeHealths;
  readonly #zones: Zones;
  readonly #nodeQueue: WorkQueue;
  readonly #podQueue: WorkQueue;
  /** By name: the uid, of nodes that were seen. */
  readonly #known = new Map<string, string>();
  /** Nodes whose pods could not all be marked. */
  readonly #unmarked = new Set<string>();

  constructor(context: ControllerContext) {
    const { clock, client, informers } = context;
    const flags = context.flags.nodeLifecycle;
    this.#context = context;
    this.#recorder = context.recorder('node-controller');
    this.#taints = new TaintWriter(client, clock);
    this.#healths = new NodeHealths({
      startupMs: flags['node-startup-grace-period'],
      monitorMs: flags['node-monitor-grace-period'],
    });
    this.#zones = new Zones(
      {
        perSecond: flags['node-eviction-rate'],
        secondaryPerSecond: flags['secondary-node-eviction-rate'],
        largeZone: flags['large-cluster-size-threshold'],
        unhealthyPart: flags['unhealthy-zone-threshold'],
      },
      clock,
    );
    this.#nodeQueue = new WorkQueue({ clock, metrics: context.queueMetrics, name: 'node_lifecycle_controller' });
    this.#podQueue = namespacedQueue(context, 'node_lifecycle_controller_pods');
    this.#nodes = informers.informer(resources.nodes);
    this.#pods = informers.informer(resources.pods);
    this.#leases = informers.informer(resources.leases);
    addNodeIndex(this.#pods);
    const nodeChanged = (node: Node): void => this.#nodeQueue.add(keyOf(node));
    this.#nodes.addHandlers({
      onAdd: nodeChanged,
      onUpdate: nodeChanged,
      onDelete: (node) => {
        this.#unmarked.delete(keyOf(node));
        this.#healths.forget(keyOf(node));
      },
    });
    this.#pods.addHandlers({
      onAdd: (pod) => this.#podBound(pod),
      onUpdate: (pod, before) => {
        if (pod.spec?.nodeName !== before.spec?.nodeName) this.#podBound(pod);
      },
    });
  }

  async run(signal: AbortSignal): Promise<void> {
    await Promise.all([this.#nodes, this.#pods, this.#leases].map((informer) => informer.waitForSync(signal)));
    const { clock, flags, log } = this.#context;
    const onError = (error: unknown): void => log.error('Error monitoring node health', error);
    // Signs of life of before must not be taken for those of the time that has gone by.
    clock.onMoved?.((beforeMs) => {
      if (clock.now() < beforeMs) this.#healths.startAnew(clock.now());
      else for (const node of this.#nodes.list()) this.#healths.look(node, this.#leaseOf(keyOf(node)), beforeMs);
    }, signal);
    await Promise.all([
      runWorkers({
        queue: this.#nodeQueue,
        workers: nodeWorkers,
        signal,
        sync: (key) => this.#syncNode(key),
        onError: (error, node) => log.error('Failed to taint NoSchedule on node, requeue it', error, { node }),
      }),
      runWorkers({
        queue: this.#podQueue,
        workers: podWorkers,
        signal,
        sync: (key) => this.#syncPod(key),
        onError: (error, pod) => log.error('Unable to mark pod NotReady on node', error, { pod }),
      }),
      every(taintingMs, () => this.#taint(), { clock, signal, onError }),
      every(flags.nodeLifecycle['node-monitor-period'], () => this.#monitor(), { clock, signal, onError }),
    ]);
  }

  #leaseOf(node: string): Lease | undefined {
    return this.#leases.get(`${leaseNamespace}/${node}`);
  }

  #podBound(pod: Pod): void {
    if ((pod.spec?.nodeName ?? '') !== '') this.#podQueue.add(keyOf(pod));
  }

  async #syncNode(key: string): Promise<void> {
    const node = this.#nodes.get(key);
    if (node === undefined) return;
    const changes = noScheduleChanges(node);
    if (changes.add.length + changes.remove.length > 0) await this.#taints.swap(node, changes);
    const labels = stableLabels(node);
    if (labels !== undefined)
      await this.#context.client.resource(resources.nodes).patch({ name: key }, { metadata: { labels } });
  }

  /** A pod that came to a node after the others were marked. */
  async #syncPod(key: string): Promise<void> {
    const pod = this.#pods.get(key);
    const node = pod?.spec?.nodeName ?? '';
    const ready = this.#healths.readyOf(node);
    if (pod !== undefined && ready !== undefined && ready !== 'True' && this.#nodes.get(node) !== undefined)
      await this.#markNotReady([pod]);
  }

  async #monitor(): Promise<void> {
    const nodes = this.#nodes.list();
    await this.#meet(nodes);
    const readyByZone = new Map<string, boolean[]>();
    let next = 0;
    const worker = async (): Promise<void> => {
      for (let node = nodes[next++]; node !== undefined; node = nodes[next++]) await this.#look(node, readyByZone);
    };
    await Promise.all(Array.from({ length: nodeWorkers }, worker));
    const step = this.#zones.update(readyByZone);
    if (step === 'stopped') {
      this.#context.log.info('all nodes are not ready: no pods are evicted', {}, 0);
      await Promise.all(nodes.map((node) => this.#markReachable(node)));
    } else if (step === 'resumed') {
      this.#context.log.info('some nodes are ready again: pods are evicted from others', {}, 0);
      this.#healths.renewAll(this.#context.clock.now());
    }
  }

  /** Tells of nodes that came and went. */
  async #meet(nodes: readonly Node[]): Promise<void> {
    for (const node of nodes) {
      const { name = '', uid = '' } = node.metadata ?? {};
      this.#zones.queueOf(node);
      if (this.#known.has(name)) continue;
      this.#tellOfNode({ name, uid }, 'RegisteredNode', `Node ${name} event: Registered Node ${name} in Controller`);
      this.#known.set(name, uid);
      await this.#markReachable(node);
    }
    for (const [name, uid] of this.#known) {
      if (this.#nodes.get(name) !== undefined) continue;
      this.#tellOfNode({ name, uid }, 'RemovingNode', `Node ${name} event: Removing Node ${name} from Controller`);
      this.#known.delete(name);
    }
  }

  async #look(listed: Node, readyByZone: Map<string, boolean[]>): Promise<void> {
    const name = keyOf(listed);
    const looked = await this.#judge(listed).catch((error: unknown) => {
      if (!isNotFound(error))
        this.#context.log.error('Update health of Node from Controller error', error, { node: name });
      return undefined;
    });
    if (looked === undefined) return;
    const { health, node } = looked;
    if (node.metadata?.labels?.[excluded] === undefined) {
      const zone = zoneOf(node);
      readyByZone.set(zone, [...(readyByZone.get(zone) ?? []), health.ready === 'True']);
    }
    if (health.ready !== undefined) {
      await this.#followTaints(node, health.ready).catch((error: unknown) =>
        this.#context.log.error('taints of a node cannot be changed', error, { node: name }),
      );
      const fell = health.ready !== 'True' && health.before === 'True';
      if (fell) {
        const { uid = '' } = node.metadata ?? {};
        this.#tellOfNode({ name, uid }, 'NodeNotReady', `Node ${name} status is now: NodeNotReady`);
      }
      if (fell || (this.#unmarked.has(name) && health.before !== 'True')) {
        try {
          await this.#markNotReady(podsOnNode(this.#pods, name));
        } catch (error) {
          this.#context.log.error('Unable to mark all pods NotReady on node; queuing for retry', error, { node: name });
          this.#unmarked.add(name);
          return;
        }
      }
    }
    this.#unmarked.delete(name);
  }

  /** Looks at a node, and writes that it is silent. */
  async #judge(listed: Node): Promise<{ readonly node: Node; readonly health: NodeHealth }> {
    const { client, clock } = this.#context;
    const name = keyOf(listed);
    let node = listed;
    for (let attempt = 1; ; attempt++) {
      const health = this.#healths.look(node, this.#leaseOf(name), clock.now());
      const { conditions } = health;
      if (conditions === undefined) return { node, health };
      const nodes = client.resource(resources.nodes);
      try {
        await nodes.updateStatus({ ...node, status: { ...node.status, conditions: [...conditions] } });
        this.#healths.wrote(name, conditions);
        return { node, health };
      } catch (error) {
        if (!isConflict(error) || attempt === tries) throw error;
        node = await nodes.get({ name });
      }
    }
  }

  /** A node that has the other of the two taints gets the right one at once; else it waits for its turn. */
  async #followTaints(node: Node, ready: string): Promise<void> {
    if (ready === 'True') return this.#markReachable(node);
    const [wanted, other] = ready === 'False' ? [notReady, unreachable] : [unreachable, notReady];
    if (hasTaint(node.spec?.taints, other)) return this.#taints.swap(node, { add: [wanted], remove: [other] });
    const queue = this.#zones.queueOf(node);
    if (!hasTaint(node.spec?.taints, wanted)) queue.remove(keyOf(node));
    queue.add(keyOf(node));
  }

  async #markReachable(node: Node): Promise<void> {
    await this.#taints.remove(node, [unreachable]);
    await this.#taints.remove(node, [notReady]);
    this.#zones.queueOf(node).remove(keyOf(node));
  }

  async #taint(): Promise<void> {
    for (const queue of this.#zones.queues)
      if (queue.length > 0)
        await queue.work(async (name) => {
          const node = this.#nodes.get(name);
          const ready = node?.status?.conditions?.find(({ type }) => type === 'Ready');
          if (node === undefined || ready?.status === 'True') return true;
          if (ready === undefined) return false;
          const [add, remove] = ready.status === 'False' ? [notReady, unreachable] : [unreachable, notReady];
          try {
            await this.#taints.swap(node, { add: [add], remove: [remove] });
            return true;
          } catch (error) {
            this.#context.log.error('a node cannot be tainted', error, { node: name });
            return isNotFound(error);
          }
        });
  }

  /** @throws the first error, after all have been tried */
  async #markNotReady(pods: readonly Pod[]): Promise<void> {
    const { client, clock } = this.#context;
    let failure: unknown;
    for (const pod of pods) {
      const ready = pod.status?.conditions?.find(({ type }) => type === 'Ready');
      if (ready === undefined || ready.status === 'False') continue;
      const conditions = withCondition(pod.status?.conditions, { ...ready, status: 'False' }, clock.now());
      try {
        await client.resource(resources.pods).updateStatus({ ...pod, status: { ...pod.status, conditions } });
      } catch (error) {
        if (isNotFound(error)) continue;
        failure ??= error;
      }
      this.#recorder.event(pod, resources.pods, {
        type: 'Warning',
        reason: 'NodeNotReady',
        message: 'Node is not ready',
      });
    }
    if (failure !== undefined) throw failure as Error;
  }

  #tellOfNode(node: { readonly name: string; readonly uid: string }, reason: string, message: string): void {
    this.#recorder.eventAbout({ apiVersion: 'v1', kind: 'Node', ...node }, { type: 'Normal', reason, message });
  }
}
