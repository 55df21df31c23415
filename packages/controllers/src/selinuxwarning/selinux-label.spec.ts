import { expect } from 'chai';
import type { Pod } from '@kubechain/apimachinery/types/core/v1';
import { labelOf, labelsByVolume, labelsConflict } from './selinux-label.ts';
import { VolumeUsers } from './volume-users.ts';

describe('SELinux labels of volumes', () => {
  it('are made of what a context says', () => {
    expect(labelOf({ level: 's0:c1,c2' })).to.equal(':::s0:c1,c2');
    expect(labelOf({})).to.equal('');
  });

  const rows: readonly (readonly [string, string, boolean])[] = [
    ['system_u:system_r:container_t:s0:c1,c2', ':::s0:c1,c2', false],
    ['system_u:system_r:container_t:s0:c1,c2', ':::s0:c98,c99', true],
    [':::s0:c1,c2', '', true],
    ['user_u:::s0', 'system_u:::s0', true],
    ['', '', false],
  ];
  for (const [a, b, expected] of rows)
    it(`${expected ? 'conflict' : 'agree'}: "${a}" and "${b}"`, () => {
      expect(labelsConflict(a, b)).to.equal(expected);
      expect(labelsConflict(b, a)).to.equal(expected);
    });

  it('are those of containers, else of their pod', () => {
    const pod = {
      spec: {
        securityContext: { seLinuxOptions: { level: 's0:c1' } },
        containers: [
          { name: 'a', volumeMounts: [{ name: 'v' }] },
          { name: 'b', volumeMounts: [{ name: 'v' }], securityContext: { seLinuxOptions: { level: 's0:c2' } } },
        ],
      },
    } as unknown as Pod;
    expect([...(labelsByVolume(pod).get('v') ?? [])]).to.deep.equal([':::s0:c1', ':::s0:c2']);
  });

  it('are told to both pods of one namespace, by name', () => {
    const users = new VolumeUsers();
    users.add('v', 'n/a', { label: ':::s0:c1', changePolicy: 'MountOption' });
    const told = users.add('v', 'n/b', { label: ':::s0:c2', changePolicy: 'MountOption' });
    expect(told).to.deep.equal([
      {
        podKey: 'n/b',
        reason: 'SELinuxLabelConflict',
        message:
          'SELinuxLabel ":::s0:c2" conflicts with pod a that uses the same volume as this pod with SELinuxLabel ' +
          '":::s0:c1". If both pods land on the same node, only one of them may access the volume.',
      },
      {
        podKey: 'n/a',
        reason: 'SELinuxLabelConflict',
        message:
          'SELinuxLabel ":::s0:c1" conflicts with pod b that uses the same volume as this pod with SELinuxLabel ' +
          '":::s0:c2". If both pods land on the same node, only one of them may access the volume.',
      },
    ]);
    expect(users.add('v', 'n/b', { label: ':::s0:c2', changePolicy: 'MountOption' })).to.deep.equal([]);
  });

  it('do not tell of pods in other namespaces', () => {
    const users = new VolumeUsers();
    users.add('v', 'n/a', { label: '', changePolicy: 'Recursive' });
    const [first] = users.add('v', 'm/b', { label: '', changePolicy: 'MountOption' });
    expect(first?.message).to.equal(
      'SELinuxChangePolicy"MountOption" conflicts with another pod that uses the same volume as this pod with a ' +
        'different SELinuxChangePolicy. If both pods land on the same node, only one of them may access the volume.',
    );
  });

  it('are forgotten with their pod', () => {
    const users = new VolumeUsers();
    users.add('v', 'n/a', { label: ':::s0:c1', changePolicy: 'MountOption' });
    users.delete('n/a');
    expect(users.add('v', 'n/b', { label: ':::s0:c2', changePolicy: 'MountOption' })).to.deep.equal([]);
  });
});
