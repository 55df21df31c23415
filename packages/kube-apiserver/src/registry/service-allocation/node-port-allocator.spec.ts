import { expect } from 'chai';
import { builtinScheme } from '@kubechain/apimachinery';
import { resourceCodec } from '@kubechain/apiserver/resources';
import { MemoryStorage } from '@kubechain/shared-storage/testing';
import { isAllocationError } from './allocation-error.ts';
import { NodePortAllocator } from './node-port-allocator.ts';
import { PortBitmap } from './port-bitmap.ts';
import { PortOperation } from './port-operation.ts';
import { parsePortRange } from './port-range.ts';

const key = '/registry/ranges/servicenodeports';

async function refusal(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (isAllocationError(error)) return `${error.code}: ${error.message}`;
    throw error;
  }
  return '';
}

describe('NodePortAllocator', () => {
  let storage: MemoryStorage;
  const range = parsePortRange('30000-30039');
  const allocator = (random = (): number => 0): NodePortAllocator =>
    new NodePortAllocator(range, { storage, key }, random);

  beforeEach(async () => {
    storage = new MemoryStorage(
      resourceCodec({
        scheme: builtinScheme(),
        group: '',
        plural: 'x',
        singular: '',
        kind: 'RangeAllocation',
        namespaced: false,
        memoryVersion: { group: '', version: 'v1' },
      }),
    );
    await storage.create(key, { apiVersion: 'v1', kind: 'RangeAllocation', range: range.text, data: '' });
  });

  it('takes a port once', async () => {
    await allocator().allocate(30_005);
    expect(await refusal(allocator().allocate(30_005))).to.equal('Allocated: provided port is already allocated');
    await allocator().release(30_005);
    expect(await refusal(allocator().allocate(30_005))).to.equal('');
    expect(await refusal(allocator().allocate(80))).to.equal(
      'NotInRange: provided port is not in the valid range. The range of valid ports is 30000-30039',
    );
  });

  it('never gives one port to two processes', async () => {
    const processes = [allocator(), allocator(), allocator()];
    const ports = await Promise.all(
      Array.from({ length: 40 }, (_, i) => (processes[i % 3] as NodePortAllocator).allocateNext()),
    );
    expect(new Set(ports).size).to.equal(40);
    expect(await refusal(allocator().allocateNext())).to.equal('Full: range is full');
  });

  it('gives the upper ports before those that are kept for who asks for them', async () => {
    const given = [];
    for (let i = 0; i < 25; i++) given.push(await allocator().allocateNext());
    expect([given[0], given[23], given[24]]).to.deep.equal([30_016, 30_039, 30_000]);
  });

  it('refuses before the object is there', async () => {
    await storage.delete(key);
    expect(await refusal(allocator().allocate(30_001))).to.contain(
      'cannot allocate resources of type servicenodeportallocations at this time',
    );
  });

  it('gives back what a failed operation took, and frees what a done one let go', async () => {
    const ignore = (): void => undefined;
    const failed = new PortOperation(allocator(), false);
    await failed.allocate(30_001);
    failed.releaseLater(30_002);
    await failed.finish(false, ignore);
    expect([...(await allocator().taken()).ports()]).to.deep.equal([]);
    await allocator().allocate(30_002);
    const done = new PortOperation(allocator(), false);
    await done.allocate(30_001);
    done.releaseLater(30_002);
    await done.finish(true, ignore);
    expect([...(await allocator().taken()).ports()]).to.deep.equal([30_001]);
  });

  it('takes nothing in a dry run, and knows what is taken', async () => {
    await allocator().allocate(30_001);
    const operation = new PortOperation(allocator(), true);
    expect(await refusal(operation.allocate(30_001))).to.contain('already allocated');
    expect(await operation.allocateNext()).to.equal(32_769);
    expect(await operation.allocateNext()).to.equal(32_770);
    await operation.finish(true, () => undefined);
    expect([...(await allocator().taken()).ports()]).to.deep.equal([30_001]);
  });
});

describe('PortBitmap', () => {
  it('is stored as the bytes of one big-endian number', () => {
    const range = parsePortRange('30000-32767');
    const ports = new PortBitmap(range);
    expect(ports.data).to.equal('');
    ports.add(30_000);
    ports.add(30_009);
    expect(ports.data).to.equal(Buffer.from([0x02, 0x01]).toString('base64'));
    expect([...new PortBitmap(range, ports.data).ports()]).to.deep.equal([30_000, 30_009]);
  });
});

describe('parsePortRange', () => {
  it('reads the forms of the flag', () => {
    expect(parsePortRange('30000-32767')).to.deep.equal({ base: 30_000, size: 2768, band: 86, text: '30000-32767' });
    expect(parsePortRange('30000+10')).to.include({ size: 11, band: 0, text: '30000-30010' });
    expect(() => parsePortRange('5-1')).to.throw('--service-node-port-range');
  });
});
