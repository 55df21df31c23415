import { expect } from 'chai';
import { isStatusError } from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import type { Service } from '@kubechain/apimachinery/types/core/v1';
import { Store, builtinResourceSpec, internalContext, isRecord, resourceCodec } from '@kubechain/apiserver/resources';
import type { StoreHooks } from '@kubechain/apiserver/resources';
import { MemoryEtcd, MemoryStorage } from '@kubechain/shared-storage/testing';
import { ipAddressStrategy } from '../networking/ipaddress/strategy.ts';
import { defaultService } from '../core/service/defaults.ts';
import { serviceHooks } from '../core/service/hooks.ts';
import { NodePortRepair } from '../core/service/repair/repair-node-ports.ts';
import { serviceStrategy } from '../core/service/strategy.ts';
import { capabilitiesOf } from '../capabilities.ts';
import { ClusterIPAllocator } from './cluster-ip-allocator.ts';
import { NodePortAllocator } from './node-port-allocator.ts';
import { parsePortRange } from './port-range.ts';
import type { ServiceAllocators } from './service-allocation.ts';

const portsKey = '/registry/ranges/servicenodeports';
const range = parsePortRange('30000-30099');
const context = internalContext({ groupResource: { group: '', resource: 'services' }, namespace: 'a' });
const accept = (): void => undefined;
const write = { dryRun: false, fieldManager: '', fieldValidation: 'Strict', forceAllowCreate: false };
interface Spec {
  clusterIP?: string;
  clusterIPs?: string[];
  ipFamilies?: string[];
  ipFamilyPolicy?: string;
  type?: string;
  ports?: { port: number; nodePort?: number; protocol?: string; name?: string; targetPort?: number }[];
  [field: string]: unknown;
}

/** A process: stores and allocators of its own over storages that all processes share. */
class Process {
  readonly services: Store;
  readonly addresses: Store;
  readonly clusterIPs: ClusterIPAllocator;
  readonly nodePorts: NodePortAllocator;

  constructor(storages: Storages, families: readonly ('IPv4' | 'IPv6')[] = ['IPv4']) {
    const store = (
      group: string,
      plural: string,
      extra: { hooks?: StoreHooks; strategy?: Store['strategy'] } = {},
    ): Store => {
      const spec = { ...builtinResourceSpec({ group, plural }), ...extra };
      return new Store({
        spec,
        storage: storages.of(group, plural),
        keyRoot: `/registry/${plural}`,
        enableGarbageCollection: true,
        deleteCollectionWorkers: 1,
        environment: storages.environment,
      });
    };
    this.addresses = store('networking.k8s.io', 'ipaddresses', { strategy: ipAddressStrategy });
    const cidrs = store('networking.k8s.io', 'servicecidrs');
    const onError = (error: unknown): void => {
      throw error;
    };
    this.clusterIPs = new ClusterIPAllocator({
      families: families as ['IPv4'],
      random: () => 0,
      onError,
      storeOf: (_group, plural) => (plural === 'servicecidrs' ? cidrs : this.addresses),
    });
    this.nodePorts = new NodePortAllocator(
      range,
      { storage: storages.of('', 'rangeallocations'), key: portsKey },
      () => 0,
    );
    const allocators: ServiceAllocators = { clusterIPs: this.clusterIPs, nodePorts: this.nodePorts, onError };
    const endpoints = store('', 'endpoints');
    this.services = store('', 'services', {
      strategy: serviceStrategy(capabilitiesOf({ allowPrivileged: true })),
      hooks: serviceHooks(allocators, () => endpoints),
    });
  }

  async create(name: string, spec: Spec = {}, dryRun = false): Promise<Spec> {
    const object: KubeObject = {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name },
      spec: { ports: [{ port: 80 }], ...spec },
    };
    defaultService(object as Service);
    const result = await this.services.create(context, name, object, { ...write, dryRun, validate: accept });
    return (isRecord(result) ? result.object() : result)['spec'] as Spec;
  }

  async update(name: string, change: (spec: Spec) => Spec): Promise<Spec> {
    const { result } = await this.services.update(
      context,
      name,
      {
        preconditions: undefined,
        updatedObject: (_context, old) => {
          const object: KubeObject = { ...structuredClone(old), spec: change(structuredClone(old['spec']) as Spec) };
          defaultService(object as Service);
          return object;
        },
      },
      { ...write, validateCreate: accept, validateUpdate: accept },
    );
    return (isRecord(result) ? result.object() : result)['spec'] as Spec;
  }

  delete(name: string): Promise<unknown> {
    return this.services.delete(context, name, accept, { dryRun: false });
  }

  async held(): Promise<string[]> {
    const { items } = await this.addresses.storage.getList('/registry/ipaddresses/');
    return items.map((item) => item.attributes.name).sort();
  }
}

class Storages {
  readonly #etcd = new MemoryEtcd();
  readonly #byName = new Map<string, MemoryStorage>();
  nowMs = Date.parse('2026-01-01T00:00:00Z');
  #uids = 0;
  readonly environment = {
    clock: { now: (): number => this.nowMs },
    newUID: (): string => `uid-${++this.#uids}`,
    random: (): number => 0.5,
  };

  of(group: string, plural: string): MemoryStorage {
    let storage = this.#byName.get(plural);
    if (storage === undefined) {
      const spec =
        plural === 'rangeallocations'
          ? { ...builtinResourceSpec({ group: '', plural: 'services' }), kind: 'RangeAllocation' }
          : builtinResourceSpec({ group, plural });
      storage = new MemoryStorage(resourceCodec(spec), { etcd: this.#etcd });
      this.#byName.set(plural, storage);
    }
    return storage;
  }
}

async function refusal(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (isStatusError(error)) return error.message;
    throw error;
  }
  return 'was not refused';
}

describe('addresses and ports of services', () => {
  let storages: Storages;
  let processes: Process[];
  const start = (families?: readonly ('IPv4' | 'IPv6')[]): Process => {
    const process = new Process(storages, families);
    processes.push(process);
    return process;
  };
  const addCIDR = (name: string, cidrs: readonly string[], more: KubeObject = {}): Promise<unknown> =>
    storages.of('networking.k8s.io', 'servicecidrs').create(`/registry/servicecidrs/${name}`, {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'ServiceCIDR',
      metadata: { name },
      spec: { cidrs },
      ...more,
    });

  beforeEach(async () => {
    storages = new Storages();
    processes = [];
    await addCIDR('kubernetes', ['10.0.0.0/28']);
    await storages
      .of('', 'rangeallocations')
      .create(portsKey, { apiVersion: 'v1', kind: 'RangeAllocation', range: range.text, data: '' });
  });
  afterEach(() => {
    for (const { clusterIPs } of processes) clusterIPs.stop();
  });

  it('gives each service an address of its own, whatever process makes it', async () => {
    const [a, b] = [start(), start()];
    const specs = await Promise.all(Array.from({ length: 14 }, (_, i) => (i % 2 === 0 ? a : b).create(`s${i}`)));
    expect(new Set(specs.map(({ clusterIP }) => clusterIP)).size).to.equal(14);
    expect(await refusal(a.create('more'))).to.equal(
      'Internal error occurred: failed to allocate a serviceIP for Service "more": range is full',
    );
  });

  it('takes what is asked for, once', async () => {
    const process = start();
    expect(await process.create('x', { clusterIP: '10.0.0.5' })).to.deep.include({
      clusterIP: '10.0.0.5',
      clusterIPs: ['10.0.0.5'],
      ipFamilies: ['IPv4'],
      ipFamilyPolicy: 'SingleStack',
    });
    expect(await refusal(process.create('y', { clusterIP: '10.0.0.5' }))).to.equal(
      'Service "y" is invalid: spec.clusterIPs: Invalid value: ["10.0.0.5"]: failed to allocate IP 10.0.0.5: ' +
        'provided IP is already allocated',
    );
    expect(await refusal(process.create('y', { clusterIP: '10.9.0.5' }))).to.contain(
      'the provided network does not match the current range',
    );
  });

  it('gives back what a refused service got', async () => {
    const process = start();
    await process.create('x', { type: 'NodePort', ports: [{ port: 80, nodePort: 30_001 }] });
    expect(
      await refusal(
        process.create('y', { type: 'NodePort', clusterIP: '10.0.0.5', ports: [{ port: 80, nodePort: 30_001 }] }),
      ),
    ).to.contain('spec.ports[0].nodePort: Invalid value: 30001: provided port is already allocated');
    expect(await refusal(process.create('z', { clusterIP: '10.0.0.6', sessionAffinity: 'Odd' }))).to.contain(
      'Unsupported value: "Odd"',
    );
    expect(await refusal(process.create('x', { clusterIP: '10.0.0.7' }))).to.contain('already exists');
    expect(await process.held()).to.have.length(1);
    expect([...(await process.nodePorts.taken()).ports()]).to.deep.equal([30_001]);
  });

  it('takes nothing in a dry run', async () => {
    const process = start();
    const spec = await process.create('x', { type: 'NodePort' }, true);
    expect([spec.clusterIP, spec.ports?.[0]?.nodePort]).to.deep.equal(['10.0.0.0', 32_769]);
    expect(await process.held()).to.deep.equal([]);
    expect([...(await process.nodePorts.taken()).ports()]).to.deep.equal([]);
  });

  it('lets go with the type, and with the service', async () => {
    const process = start();
    await process.create('x', { type: 'NodePort' });
    const external = await process.update('x', (spec) => ({
      ...spec,
      type: 'ExternalName',
      externalName: 'example.com',
    }));
    expect(external).not.to.have.any.keys('clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy');
    expect([await process.held(), [...(await process.nodePorts.taken()).ports()]]).to.deep.equal([[], []]);
    expect((await process.update('x', (spec) => ({ ...spec, type: 'ClusterIP' }))).clusterIP).to.match(/^10\./);
    await process.delete('x');
    expect(await process.held()).to.deep.equal([]);
  });

  it('keeps what it has given when a client sends the service without it', async () => {
    const process = start();
    const made = await process.create('x', { type: 'NodePort' });
    const kept = await process.update('x', ({ clusterIP: _ip, clusterIPs: _ips, ...spec }) => ({
      ...spec,
      ports: [{ port: 80 }],
    }));
    expect([kept.clusterIPs, kept.ports?.[0]?.nodePort]).to.deep.equal([made.clusterIPs, made.ports?.[0]?.nodePort]);
    expect(
      await refusal(process.update('x', (spec) => ({ ...spec, clusterIP: '10.0.0.9', clusterIPs: ['10.0.0.9'] }))),
    ).to.contain('may not change once set');
  });

  it('adds and drops the second address of a dual-stack service', async () => {
    await addCIDR('six', ['fd00::/112']);
    const process = start(['IPv4', 'IPv6']);
    const single = await process.create('x');
    expect(single.ipFamilies).to.deep.equal(['IPv4']);
    const dual = await process.update('x', (spec) => ({ ...spec, ipFamilyPolicy: 'RequireDualStack' }));
    expect([dual.ipFamilies, dual.clusterIPs?.length]).to.deep.equal([['IPv4', 'IPv6'], 2]);
    expect(
      await refusal(
        process.update('x', (spec) => ({
          ...spec,
          clusterIPs: (spec.clusterIPs ?? []).slice(0, 1),
          ipFamilies: ['IPv4'],
        })),
      ),
    ).to.contain("must be 'SingleStack' to release the secondary cluster IP");
    await process.update('x', (spec) => ({ ...spec, ipFamilyPolicy: 'SingleStack' }));
    expect(await process.held()).to.deep.equal([single.clusterIP]);
  });

  it('allocates from ServiceCIDRs that are ready only', async () => {
    await addCIDR('later', ['10.1.0.0/28'], { status: { conditions: [{ type: 'Ready', status: 'False' }] } });
    const process = start();
    expect(await refusal(process.create('x', { clusterIP: '10.1.0.5' }))).to.contain(
      'the provided network does not match the current range',
    );
  });

  it(
    'repairs the object of node ports: makes it, takes what services ' + 'have, frees what nobody has for some passes',
    async () => {
      const process = start();
      await process.create('x', { type: 'NodePort', ports: [{ port: 80, nodePort: 30_001 }] });
      await storages.of('', 'rangeallocations').delete(portsKey);
      const repair = new NodePortRepair({
        services: process.services,
        stored: { storage: storages.of('', 'rangeallocations'), key: portsKey },
        range,
        report: () => undefined,
      });
      await repair.run();
      await process.nodePorts.allocate(30_002);
      const seen: number[][] = [];
      for (let i = 0; i < 4; i++) {
        await repair.run();
        seen.push([...(await process.nodePorts.taken()).ports()]);
      }
      expect(seen).to.deep.equal([[30_001, 30_002], [30_001, 30_002], [30_001, 30_002], [30_001]]);
    },
  );
});
