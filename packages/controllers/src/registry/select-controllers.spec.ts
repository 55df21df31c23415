import { expect } from 'chai';
import type { ControllerDescriptor } from '../controller/controller.ts';
import { absentControllers } from './absent-controllers.ts';
import { allControllers } from './controllers.ts';
import { selectControllers } from './select-controllers.ts';

const controller = (name: string, more: Partial<ControllerDescriptor> = {}): ControllerDescriptor => ({
  name: `${name}-controller`,
  aliases: [name],
  onByDefault: true,
  group: 'lifecycle',
  serviceAccount: name,
  make: () => Promise.resolve(undefined),
  ...more,
});
const known = [controller('a'), controller('b', { onByDefault: false }), controller('c', { group: 'workloads' })];

/** cmd/kube-controller-manager/names and those of k8s.io/cloud-provider, 1.36. */
const referenceNames = (
  'bootstrap-signer certificatesigningrequest-approving certificatesigningrequest-cleaner ' +
  'certificatesigningrequest-signing cloud-node-lifecycle clusterrole-aggregation cronjob daemonset ' +
  'deployment device-taint-eviction disruption endpoints endpointslice endpointslice-mirroring ' +
  'ephemeral-volume garbage-collector horizontal-pod-autoscaler job ' +
  'kube-apiserver-serving-clustertrustbundle-publisher legacy-serviceaccount-token-cleaner namespace ' +
  'node-ipam node-lifecycle node-route persistentvolume-attach-detach persistentvolume-binder ' +
  'persistentvolume-expander persistentvolume-protection persistentvolumeclaim-protection ' +
  'pod-garbage-collector podcertificaterequest-cleaner podgroup-protection replicaset ' +
  'replicationcontroller resourceclaim resourcepoolstatusrequest resourcequota ' +
  'root-ca-certificate-publisher selinux-warning service-cidr service-lb serviceaccount ' +
  'serviceaccount-token statefulset storage-version-migrator storageversion-garbage-collector ' +
  'taint-eviction token-cleaner ttl ttl-after-finished validatingadmissionpolicy-status ' +
  'volumeattributesclass-protection'
)
  .split(' ')
  .map((name) => `${name}-controller`);

describe('--controllers', () => {
  const rows: readonly (readonly [string, string, readonly string[]])[] = [
    ['all that are on by default', '*', ['a-controller', 'c-controller']],
    ['one by name', 'b-controller', ['b-controller']],
    ['one by an older name', 'b', ['b-controller']],
    ['all and one that is off', '*,b', ['a-controller', 'b-controller', 'c-controller']],
    ['all but one', '*,-a', ['c-controller']],
    ['the first mention counts', 'a,-a-controller,*', ['a-controller', 'c-controller']],
    ['a group, without what is off', 'lifecycle', ['a-controller']],
    ['a group and one more', 'lifecycle,c', ['a-controller', 'c-controller']],
    ['a group but one', 'lifecycle,-a', []],
    ['none', 'none', []],
  ];
  for (const [what, text, names] of rows)
    it(`${text}: ${what}`, () => {
      expect(selectControllers(text.split(','), known).map(({ name }) => name)).to.deep.equal(names);
    });

  it('refuses names that there are not, in the words of the reference', () => {
    expect(() => selectControllers(['*', '-nonsense'], known)).to.throw(
      RangeError,
      '"nonsense" is not in the list of known controllers',
    );
  });

  it('tells of what the reference would not run either, and runs the others', () => {
    const told: string[] = [];
    const chosen = selectControllers(['a', 'podgroup-protection-controller', '-service'], known, ({ name, why }) =>
      told.push(`${name}: ${why}`),
    );
    expect(chosen.map(({ name }) => name)).to.deep.equal(['a-controller']);
    expect(told).to.deep.equal([
      'podgroup-protection-controller: its feature gate is off in Kubernetes 1.36 (GenericWorkload)',
    ]);
  });

  it('knows all names of kube-controller-manager 1.36', () => {
    const names = [...allControllers(), ...absentControllers].map(({ name }) => name);
    expect(referenceNames.filter((name) => !names.includes(name))).to.deep.equal([]);
  });

  it('runs all that the reference runs by its defaults', () => {
    const offByDefault = ['bootstrap-signer-controller', 'selinux-warning-controller', 'token-cleaner-controller'];
    const off = allControllers().filter(({ onByDefault }) => !onByDefault);
    expect(off.map(({ name }) => name).toSorted()).to.deep.equal(offByDefault);
  });

  it('has every name once', () => {
    const names = [...allControllers(), ...absentControllers].flatMap(({ name, aliases }) => [name, ...aliases]);
    expect(new Set(names).size).to.equal(names.length);
  });
});
