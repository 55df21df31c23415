import { parseCIDR, type RepeatableDraws } from '@kubechain/apimachinery';
import type { Store } from '@kubechain/apiserver/resources';
import { OptionsError } from '@kubechain/apiserver/options';
import type { MetricRegistry } from '@kubechain/shared-storage/metrics';
import type { RESTOptionsGetter } from '@kubechain/shared-storage';
import { AllocationMetrics } from '../registry/service-allocation/allocation-metrics.ts';
import { ClusterIPAllocator } from '../registry/service-allocation/cluster-ip-allocator.ts';
import { IPRange } from '../registry/service-allocation/ip-range.ts';
import { NodePortAllocator } from '../registry/service-allocation/node-port-allocator.ts';
import { parsePortRange } from '../registry/service-allocation/port-range.ts';
import { nodePortRangeStorage } from '../registry/service-allocation/range-allocation-storage.ts';
import type { RangeAllocationStorage } from '../registry/service-allocation/range-allocation-storage.ts';
import type { ServiceAllocators } from '../registry/service-allocation/service-allocation.ts';

/** What --service-cluster-ip-range and --service-node-port-range make of a process. */
export interface ServiceNetwork extends ServiceAllocators {
  /** The ranges of the flag; the first one has the address of service `kubernetes`. */
  readonly ranges: readonly [IPRange, ...IPRange[]];
  readonly portStorage: RangeAllocationStorage;
  close(): Promise<void>;
}

export interface ServiceNetworkFlags {
  readonly 'service-cluster-ip-range': string;
  readonly 'service-node-port-range': string;
}

export interface ServiceNetworkOptions {
  readonly storeOf: (group: string, plural: string) => Store;
  readonly direct: RESTOptionsGetter;
  /** From 0 to below 1: where the search for a free address or port begins. */
  readonly random: () => number;
  readonly repeatable?: RepeatableDraws | undefined;
  readonly onError: (error: unknown) => void;
  /** Default: nothing is counted. */
  readonly metrics?: MetricRegistry;
}

/** Longest prefixes that IPv6 service ranges may be short of: 2^64 addresses are enough. */
const shortestIPv6Prefix = 64;

/** @throws OptionsError for ranges that services cannot have */
export function openServiceNetwork(
  flags: ServiceNetworkFlags,
  { direct, metrics: registry, onError, random, repeatable, storeOf }: ServiceNetworkOptions,
): ServiceNetwork {
  const ranges = parseRanges(flags['service-cluster-ip-range']);
  const ports = parsePortRange(flags['service-node-port-range']);
  const metrics = registry && new AllocationMetrics(registry);
  const portStorage = nodePortRangeStorage(direct);
  const clusterIPs = new ClusterIPAllocator({
    families: [ranges[0].family, ...ranges.slice(1).map(({ family }) => family)],
    storeOf,
    onError,
    random,
    repeatable,
    ...(metrics === undefined ? {} : { metrics }),
  });
  return {
    ranges,
    portStorage,
    onError,
    clusterIPs,
    nodePorts: new NodePortAllocator(ports, portStorage, repeatable?.of('node ports').random ?? random, metrics),
    close: async () => {
      clusterIPs.stop();
      await portStorage.storage.close();
    },
  };
}

/** One CIDR, or one of each family. */
function parseRanges(text: string): readonly [IPRange, ...IPRange[]] {
  const refuse = (reason: string): never => {
    throw new OptionsError('InvalidValue', `--service-cluster-ip-range: ${text} ${reason}`);
  };
  const [first, ...others] = text.split(',').map((cidr) => {
    const parsed = parseCIDR(cidr.trim());
    if (parsed?.address.family === 6 && parsed.prefix < shortestIPv6Prefix)
      refuse(`has too many addresses: the shortest prefix of an IPv6 range is ${shortestIPv6Prefix}`);
    return IPRange.parse(cidr.trim()) ?? refuse('is no CIDR');
  });
  if (first === undefined || others.length > 1) return refuse('must be one or two CIDRs');
  if (others[0]?.family === first.family) refuse('must have one CIDR of each IP family');
  return [first, ...others];
}
