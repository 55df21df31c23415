import { formatTime } from '@kubechain/apimachinery';
import type { Node } from '@kubechain/apimachinery/types/core/v1';
import { managedAttachAnnotation } from '../attachdetach/wanted-volumes.ts';

/** Marks nodes that are played: `fake`, as kwok's users write it. */
export const simulatedAnnotation = 'kwok.x-k8s.io/node';

/** What a played node has to give, unless its object says otherwise. */
const defaultCapacity: Readonly<Record<string, string>> = {
  cpu: '32',
  memory: '256Gi',
  'ephemeral-storage': '1Ti',
  pods: '110',
};

/** Name of the node of an index, from 0. */
export function simulatedNodeName(index: number): string {
  return `node-${index}`;
}

/** The object of a node of an index. */
export function simulatedNode(index: number): Node {
  const name = simulatedNodeName(index);
  return {
    metadata: {
      name,
      annotations: { [simulatedAnnotation]: 'fake', [managedAttachAnnotation]: 'true' },
      labels: {
        'beta.kubernetes.io/arch': 'amd64',
        'beta.kubernetes.io/os': 'linux',
        'kubernetes.io/arch': 'amd64',
        'kubernetes.io/hostname': name,
        'kubernetes.io/os': 'linux',
      },
    },
    spec: { podCIDR: podNetwork(index), podCIDRs: [podNetwork(index)] },
  } as Node;
}

/** A network of 254 addresses below 10.128.0.0/9: enough for 32,768 nodes. */
function podNetwork(index: number): string {
  return `10.${128 + (index >> 8)}.${index & 255}.0/24`;
}

/** The address of a node: of no machine. */
export function nodeAddress(index: number): string {
  return `172.${16 + (index >> 14)}.${(index >> 6) & 255}.${(index & 63) * 4 + 1}`;
}

const conditions: readonly (readonly [type: string, status: string, reason: string, message: string])[] = [
  ['MemoryPressure', 'False', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'],
  ['DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'],
  ['PIDPressure', 'False', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'],
  ['Ready', 'True', 'KubeletReady', 'kubelet is posting ready status'],
];

/** On nodes: conditions that differ from a healthy node's, e.g. `MemoryPressure=True,Ready=False`. */
export const conditionsAnnotation = 'simulation.kubechain.dev/conditions';
/** On nodes: `lost` for one that is silent, its pods as they were. */
const nodeFailureAnnotation = 'simulation.kubechain.dev/failure';

/** Whether nothing is heard of a node. */
export function isLost({ metadata }: Node): boolean {
  return metadata?.annotations?.[nodeFailureAnnotation] === 'lost';
}

interface NodeCondition {
  readonly type: string;
  readonly is: string;
  readonly reason: string;
  readonly message: string;
}

function conditionsOf({ metadata }: Node): readonly NodeCondition[] {
  const wanted = new Map(
    (metadata?.annotations?.[conditionsAnnotation] ?? '')
      .split(',')
      .map((part) => part.trim().split('='))
      .filter(([, is]) => is === 'True' || is === 'False' || is === 'Unknown')
      .map(([type = '', is = '']) => [type, is]),
  );
  const known = conditions.map(([type, is, reason, message]): NodeCondition => {
    const asked = wanted.get(type) ?? is;
    wanted.delete(type);
    return asked === is
      ? { type, is, reason, message }
      : { type, is: asked, reason: 'Simulated', message: 'as the annotation says' };
  });
  const others = Array.from(wanted, ([type, is]) => ({
    type,
    is,
    reason: 'Simulated',
    message: 'as the annotation says',
  }));
  return [...known, ...others];
}

/** The status of a node, healthy unless annotations say otherwise; capacity that the object has already stays. */
export function simulatedNodeStatus(
  node: Node,
  options: { readonly address: string; readonly nowMs: number; readonly kubeletPort: number },
): Node['status'] {
  // Which volumes are attached is for others to say.
  const { volumesAttached: _, volumesInUse: __, ...status } = node.status ?? {};
  const now = formatTime(options.nowMs);
  const capacity = { ...defaultCapacity, ...status.capacity };
  return {
    ...status,
    capacity,
    allocatable: { ...capacity, ...status.allocatable },
    addresses: [
      { type: 'InternalIP', address: options.address },
      // Where API servers look first: the kubelets of all played nodes are one server on this machine.
      { type: 'Hostname', address: 'localhost' },
    ],
    daemonEndpoints: { kubeletEndpoint: { Port: options.kubeletPort } },
    declaredFeatures: ['ExtendWebSocketsToKubelet', 'RestartAllContainersOnContainerExits'],
    conditions: conditionsOf(node).map(({ is, message, reason, type }) => {
      const before = status.conditions?.find((condition) => condition.type === type);
      return {
        type,
        status: is,
        lastHeartbeatTime: now,
        lastTransitionTime: before?.status === is ? (before.lastTransitionTime ?? now) : now,
        reason,
        message,
      };
    }),
    nodeInfo: {
      machineID: '',
      systemUUID: '',
      bootID: '',
      kernelVersion: '6.12.0',
      osImage: 'simulated',
      containerRuntimeVersion: 'simulated://1.0',
      kubeletVersion: 'v1.36.2',
      kubeProxyVersion: '',
      operatingSystem: 'linux',
      architecture: 'amd64',
    },
  } as Node['status'];
}
