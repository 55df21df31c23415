import { expect } from 'chai';
import type { PersistentVolume, Pod } from '@kubechain/apimachinery/types/core/v1';
import type { CSIDriver } from '@kubechain/apimachinery/types/storage/v1';
import { attachablePersistentVolume, attachmentName, csiOf } from './attachable-volume.ts';
import { multiAttachMessage } from './multi-attach-message.ts';

const volume = (spec: object): PersistentVolume => ({ metadata: { name: 'v' }, spec }) as PersistentVolume;
const csi = { driver: 'd.example.com', volumeHandle: 'h^1' };
const driver = (attachRequired: boolean) => (): CSIDriver => ({ spec: { attachRequired } }) as CSIDriver;
const none = (): undefined => undefined;

describe('volumes that are attached', () => {
  it('are those of CSI drivers, unless the driver says that it attaches nothing', () => {
    const uniqueName = 'kubernetes.io/csi/d.example.com^h^1';
    const expected = { name: 'v', multiAttach: true, uniqueName, csi };
    expect(attachablePersistentVolume(volume({ csi }), none)).to.deep.equal(expected);
    expect(attachablePersistentVolume(volume({ csi }), driver(true))).to.deep.equal(expected);
    expect(attachablePersistentVolume(volume({ csi }), driver(false))).to.equal(undefined);
    expect(csiOf(uniqueName)).to.deep.equal(csi);
  });
  it('are named by what they are where there is no driver', () => {
    const fc = { targetWWNs: ['a', 'b'], lun: 2 };
    const iscsi = { targetPortal: '10.0.0.1:3260', iqn: 'iqn.x', lun: 0 };
    const nameOf = (spec: object): string | undefined => attachablePersistentVolume(volume(spec), none)?.uniqueName;
    expect(nameOf({ fc })).to.equal('kubernetes.io/fc/[a b]:2');
    expect(nameOf({ fc: { wwids: ['w'] } })).to.equal('kubernetes.io/fc/[w]');
    expect(nameOf({ iscsi })).to.equal('kubernetes.io/iscsi/10.0.0.1:3260:iqn.x:0');
    expect(nameOf({ hostPath: { path: '/tmp' } })).to.equal(undefined);
  });
  const modes: readonly (readonly [readonly string[], boolean])[] = [
    [[], true],
    [['ReadWriteOnce'], false],
    [['ReadWriteOncePod'], false],
    [['ReadWriteOnce', 'ReadOnlyMany'], true],
    [['ReadWriteMany'], true],
  ];
  for (const [accessModes, expected] of modes)
    it(`may${expected ? '' : ' not'} be on several nodes with ${accessModes.join(' and ') || 'no access mode'}`, () => {
      expect(attachablePersistentVolume(volume({ csi, accessModes }), none)?.multiAttach).to.equal(expected);
    });
  it('have attachments whose names are the same for all who make them', () => {
    // sha256 of `hdn`.
    expect(attachmentName({ driver: 'd', volumeHandle: 'h' }, 'n')).to.equal(
      'csi-9072ed11cc1acb5fa433a877ff339b6311d013f33bddd1d0092711a8ace5b16d',
    );
  });
});

describe('a volume that is in use elsewhere', () => {
  const pod = (namespace: string, name: string): Pod => ({ metadata: { namespace, name } });
  const rows: readonly (readonly [readonly Pod[], string])[] = [
    [[], "Volume is already exclusively attached to one node and can't be attached to another"],
    [[pod('n', 'a'), pod('n', 'b')], 'Volume is already used by pod(s) a, b'],
    [[pod('n', 'a'), pod('m', 'b')], 'Volume is already used by pod(s) a and 1 pod(s) in different namespaces'],
    [[pod('m', 'a'), pod('m', 'b')], 'Volume is already used by 2 pod(s) in different namespaces'],
  ];
  for (const [others, expected] of rows)
    it(expected, () => {
      expect(multiAttachMessage(pod('n', 'c'), 'v', others)).to.equal(`Multi-Attach error for volume "v" ${expected}`);
    });
});
