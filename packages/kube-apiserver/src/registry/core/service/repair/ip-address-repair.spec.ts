import { formatTime, type KubeObject } from '@kubechain/apimachinery';
import { FakeClock, settle } from '@kubechain/apimachinery/testing';
import { Store, builtinResourceSpec, resourceCodec } from '@kubechain/apiserver/resources';
import { MemoryEtcd, MemoryStorage } from '@kubechain/shared-storage/testing';
import { expect } from 'chai';
import { ipAddressStrategy } from '../../../networking/ipaddress/strategy.ts';
import { ClusterIPAllocator } from '../../../service-allocation/cluster-ip-allocator.ts';
import { ipAddressObject } from '../../../service-allocation/ip-address-object.ts';
import { IPAddressRepair } from './ip-address-repair.ts';

describe('services and IPAddresses', () => {
  let clock: FakeClock;
  let etcd: MemoryEtcd;
  let stop: AbortController;
  let told: string[];
  let stores: Readonly<Record<'services' | 'ipaddresses' | 'servicecidrs', Store>>;
  let started: Promise<void>;
  let allocator: ClusterIPAllocator;

  const storeOf = (group: string, plural: string, extra: object = {}): Store => {
    const spec = { ...builtinResourceSpec({ group, plural }), ...extra };
    return new Store({
      spec,
      storage: new MemoryStorage(resourceCodec(spec), { etcd }),
      keyRoot: `/registry/${plural}`,
      enableGarbageCollection: true,
      deleteCollectionWorkers: 1,
      environment: { clock, newUID: () => 'u', random: () => 0.5 },
    });
  };
  const put = async (plural: keyof typeof stores, key: string, object: KubeObject): Promise<void> => {
    await stores[plural].storage.create(`/registry/${plural}/${key}`, object);
    await settle(20);
  };
  const addCIDR = (): Promise<void> =>
    put('servicecidrs', 'kubernetes', {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'ServiceCIDR',
      metadata: { name: 'kubernetes' },
      spec: { cidrs: ['10.0.0.0/28'] },
    });
  const service = (name: string, clusterIP: string): KubeObject => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace: 'a', creationTimestamp: formatTime(clock.now()) },
    spec: { clusterIP, clusterIPs: [clusterIP], ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }] },
  });
  const addService = (name: string, clusterIP: string): Promise<void> =>
    put('services', `a/${name}`, service(name, clusterIP));
  const addAddress = (address: string, name: string, change: object = {}): Promise<void> => {
    const object = ipAddressObject(address, { namespace: 'a', name });
    const metadata = { ...object.metadata, uid: address, creationTimestamp: formatTime(clock.now()), ...change };
    return put('ipaddresses', address, { ...object, metadata });
  };
  const drop = async (plural: keyof typeof stores, key: string): Promise<void> => {
    await stores[plural].storage.delete(`/registry/${plural}/${key}`);
    await settle(20);
  };
  const held = async (): Promise<string[]> => {
    await settle(20);
    const { items } = await stores.ipaddresses.storage.getList('/registry/ipaddresses/');
    return items.map((item) => {
      const { metadata, spec } = item.object() as KubeObject & { readonly spec: { parentRef: { name: string } } };
      return `${metadata?.name ?? ''} ${spec.parentRef.name}`;
    });
  };
  const start = (): void => {
    allocator = new ClusterIPAllocator({
      families: ['IPv4'],
      random: () => 0,
      onError: () => undefined,
      storeOf: (_group, plural) => stores[plural as keyof typeof stores],
    });
    const repair = new IPAddressRepair({
      services: stores.services,
      addresses: stores.ipaddresses,
      allocator,
      clock,
      tell: ({ note, reason }) => told.push(`${reason}: ${note}`),
      onError: (error) => told.push(String(error)),
    });
    started = repair.start(stop.signal);
  };

  beforeEach(() => {
    clock = new FakeClock();
    etcd = new MemoryEtcd();
    stop = new AbortController();
    told = [];
    stores = {
      services: storeOf('', 'services'),
      ipaddresses: storeOf('networking.k8s.io', 'ipaddresses', { strategy: ipAddressStrategy }),
      servicecidrs: storeOf('networking.k8s.io', 'servicecidrs'),
    };
  });
  afterEach(() => {
    stop.abort();
    allocator.stop();
  });

  it('are looked at once there is a range, and before it is said that they were', async () => {
    await addService('x', '10.0.0.5');
    start();
    await clock.advance(1_000);
    expect([told, await held()]).to.deep.equal([[], []]);
    await addCIDR();
    await clock.advance(200);
    await started;
    expect(await held()).to.deep.equal(['10.0.0.5 x']);
    expect(told).to.deep.equal(['ClusterIPNotAllocated: Cluster IP [IPv4]: 10.0.0.5 is not allocated; repairing']);
  });

  it('are put right beside those that cannot be, which are tried again at growing intervals', async () => {
    await addCIDR();
    for (const [name, address] of ['b', 'c', 'd'].entries()) await addService(address, `10.0.0.${name + 5}`);
    const create = stores.ipaddresses.create.bind(stores.ipaddresses);
    let failing = true;
    stores.ipaddresses.create = async (context, name, ...given) => {
      if (failing && name === '10.0.0.5') throw new RangeError('cannot be written');
      return create(context, name, ...given);
    };
    start();
    await clock.advance(0);
    await started;
    expect(await held()).to.deep.equal(['10.0.0.6 c', '10.0.0.7 d']);
    await clock.advance(2_000);
    expect(told.filter((line) => line.startsWith('RangeError')).length).to.be.within(2, 12);
    failing = false;
    await clock.advance(5_000);
    expect(await held()).to.deep.equal(['10.0.0.5 b', '10.0.0.6 c', '10.0.0.7 d']);
  });

  describe('that change', () => {
    beforeEach(async () => {
      await addCIDR();
      start();
      await clock.advance(200);
      await started;
    });

    it('agree again at once', async () => {
      await addService('x', '10.0.0.5');
      expect(await held()).to.deep.equal(['10.0.0.5 x']);
      await addService('y', '10.0.0.6');
      await addService('out', '10.1.0.1');
      await drop('services', 'a/x');
      expect(await held()).to.deep.equal(['10.0.0.5 x', '10.0.0.6 y']);
      expect(told.at(-1)).to.equal(
        'ClusterIPOutOfRange: Cluster IP [IPv4]: 10.1.0.1 is not within any configured Service CIDR; ' +
          'please recreate service',
      );
      // Its service may be on the way.
      await addAddress('10.0.0.7', 'gone');
      await clock.advance(59_000);
      expect(await held()).to.deep.equal(['10.0.0.5 x', '10.0.0.6 y', '10.0.0.7 gone']);
      await clock.advance(2_000);
      expect(await held()).to.deep.equal(['10.0.0.5 x', '10.0.0.6 y']);
    });

    it('are taken from whoever is not there, labelled as they should be, and given back', async () => {
      await addAddress('10.0.0.5', 'gone');
      await addAddress('10.0.0.6', 'y', { labels: {} });
      await addService('x', '10.0.0.5');
      await addService('y', '10.0.0.6');
      expect(await held()).to.deep.equal(['10.0.0.5 x', '10.0.0.6 y']);
      const { items } = await stores.ipaddresses.storage.getList('/registry/ipaddresses/');
      for (const item of items)
        expect(item.attributes.labels, item.key).to.have.property('ipaddress.kubernetes.io/managed-by');
      await clock.advance(1_000);
      await addAddress('10.0.0.8', 'x');
      expect(await held()).to.include('10.0.0.8 x');
      await clock.advance(6_000);
      expect(await held()).to.deep.equal(['10.0.0.5 x', '10.0.0.6 y']);
      expect(told.at(-1)).to.equal(
        'IPAddressWrongReference: IPAddress: 10.0.0.8 for Service a/x has a wrong reference; cleaning up',
      );
    });

    it('that two services have are told of', async () => {
      await addService('x', '10.0.0.5');
      await addService('y', '10.0.0.5');
      expect(await held()).to.deep.equal(['10.0.0.5 x']);
      expect(told.at(-1)).to.equal(
        'ClusterIPAlreadyAllocated: Cluster IP [IPv4]:10.0.0.5 was assigned to multiple services; ' +
          'please recreate service',
      );
    });

    it('that nothing was heard of are looked at again every three minutes', async () => {
      await addService('x', '10.0.0.5');
      await drop('ipaddresses', '10.0.0.5');
      expect(await held()).to.deep.equal([]);
      await clock.advance(180_000);
      expect(await held()).to.deep.equal(['10.0.0.5 x']);
    });
  });
});
